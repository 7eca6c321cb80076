"""The models of a study file: where each comes from, and how it is computed."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from harness.types import Family


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class HubSource(_Part):
    kind: Literal["hub"]
    id: str
    revision: str
    trust_remote_code: bool = False


class LocalSource(_Part):
    kind: Literal["local"]
    path: str
    trust_remote_code: bool = False


class PredictionsTable(_Part):
    path: str
    where: dict[str, str | int] = {}


class ReplaySource(_Part):
    kind: Literal["replay"]
    predictions: dict[str, PredictionsTable]
    allow_extra: bool = False


class BaselineSource(_Part):
    kind: Literal["baseline"]
    name: Literal["majority", "random"]
    fit: str = "train"


class EndpointSource(_Part):
    kind: Literal["endpoint"]
    base_url: str
    label: str
    model: str
    revision: str | None = None
    api_key_env: str | None = None
    token_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    timeout_s: Annotated[float, Field(gt=0)] = 60.0
    n_attempts: Annotated[int, Field(ge=1)] = 5
    backoff_s: Annotated[float, Field(ge=0)] = 1.0


class FakeSource(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True, strict=True)
    kind: Literal["fake"]
    behaviour: str


Source = Annotated[
    HubSource | LocalSource | ReplaySource | BaselineSource | EndpointSource | FakeSource,
    Field(discriminator="kind"),
]


class ModelTable(_Part):
    family: Family = "generative"
    source: Source
    dtype: Literal["float32", "bfloat16", "float16"] = "float32"
    attention: Literal["sdpa", "eager", "flash_attention_2"] = "sdpa"
    max_image_side_px: Annotated[int, Field(ge=1)] | None = None


__all__ = ["EndpointSource", "LocalSource", "ModelTable", "ReplaySource"]
