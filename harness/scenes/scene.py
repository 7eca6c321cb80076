"""A scene as data: objects on a ground plane, a camera and lights. Equal scenes, equal pixels."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from harness import ids
from harness.errors import DataError
from harness.scenes.palette import COLORS, MATERIALS, SHAPES, SIZES

Vector = tuple[float, float, float]
DECIMALS = 4
# The renderer holds several pictures for each object.
MAX_OBJECTS = 64
MAX_LIGHTS = 16
_ID = re.compile(r"[a-z][a-z0-9_]{0,31}")


@dataclass(frozen=True, kw_only=True, slots=True)
class SceneObject:
    """One object standing on the ground.

    Attributes
    ----------
    id : its name in the scene and in the id pass.
    shape, color, material, size : of `SHAPES`, `COLORS`, `MATERIALS` and `SIZES`.
    x, y : centre on the ground, scene units; rounded to 4 decimals as stored.
    turn_deg : rotation about the vertical, degrees in [0, 360).
    """

    id: str
    shape: str
    color: str
    material: str
    size: str
    x: float
    y: float
    turn_deg: float = 0.0

    def __post_init__(self) -> None:
        known: dict[str, tuple[str, ...]] = {
            "shape": SHAPES,
            "color": tuple(COLORS),
            "material": MATERIALS,
            "size": tuple(SIZES),
        }
        for name, values in known.items():
            if getattr(self, name) not in values:
                raise DataError(
                    f"object {self.id}: expected {name} among {', '.join(values)}, found "
                    f"{getattr(self, name)!r}"
                )
        if _ID.fullmatch(self.id) is None:
            raise DataError(f"expected an object id like 'o3' (a-z, 0-9, _), found {self.id!r}")
        for name in ("x", "y", "turn_deg"):
            object.__setattr__(
                self, name, _number(f"object {self.id}: {name}", getattr(self, name))
            )

    @property
    def radius(self) -> float:
        """Half the object's width and height, scene units; a cube's half side."""
        radius = SIZES[self.size]
        return round(radius / 2**0.5, DECIMALS) if self.shape == "cube" else radius


@dataclass(frozen=True, kw_only=True, slots=True)
class Camera:
    """A pinhole camera: `position`, Euler angles in degrees (x, then y, then z), horizontal field.

    The default is the camera of CLEVR (Johnson et al. 2017; base scene of its generator).
    """

    position: Vector = (7.4811, -6.5076, 5.3437)
    rotation_deg: Vector = (63.559, 0.62, 46.692)
    fov_deg: float = 49.134


@dataclass(frozen=True, kw_only=True, slots=True)
class Light:
    """An area light: `position`, side in scene units, linear colour (1 is white), power in watt."""

    name: str
    position: Vector
    side: float
    color: Vector
    power: float


LIGHTS = (
    Light(
        name="key", position=(6.45, -2.91, 4.26), side=0.5, color=(1.0, 0.932, 0.817), power=78.5
    ),
    Light(
        name="fill", position=(-4.67, -4.01, 3.01), side=0.5, color=(0.762, 0.818, 1.0), power=23.6
    ),
    Light(name="back", position=(-1.17, 2.65, 5.82), side=1.0, color=(1.0, 1.0, 1.0), power=39.3),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Scene:
    """Objects in no meaningful order, with what they are seen by. `seed` is the renderer's."""

    objects: tuple[SceneObject, ...]
    camera: Camera = Camera()
    lights: tuple[Light, ...] = LIGHTS
    seed: int = 0

    def __post_init__(self) -> None:
        names = [thing.id for thing in self.objects]
        if len(names) > MAX_OBJECTS or len(self.lights) > MAX_LIGHTS:
            raise DataError(
                f"expected at most {MAX_OBJECTS} objects and {MAX_LIGHTS} lights, found "
                f"{len(names)} and {len(self.lights)}"
            )
        if len(set(names)) < len(names):
            raise DataError(f"expected object ids that differ, found {sorted(names)}")

    def __getitem__(self, object_id: str) -> SceneObject:
        for thing in self.objects:
            if thing.id == object_id:
                return thing
        raise DataError(f"expected an object of the scene, found {object_id!r}")

    def to_json(self) -> dict[str, Any]:
        """The scene as JSON values; `from_json` gives it back."""
        value: dict[str, Any] = ids.plain(asdict(self))
        return value

    @property
    def sha256(self) -> str:
        """Of the canonical JSON with the objects in the order of their ids."""
        value = self.to_json()
        value["objects"] = sorted(value["objects"], key=lambda thing: thing["id"])
        return ids.digest(ids.canonical_json(value))


def from_json(value: Any) -> Scene:
    """Read a scene back.

    Raises
    ------
    DataError
        For a missing or unknown field, and for values that no scene can have.
    """
    try:
        return Scene(
            objects=tuple(SceneObject(**_checked(SceneObject, o)) for o in value["objects"]),
            camera=Camera(**_vectors(_checked(Camera, value["camera"]))),
            lights=tuple(Light(**_vectors(_checked(Light, item))) for item in value["lights"]),
            seed=int(value["seed"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(
            f"scene: expected objects, camera, lights and seed, found a fault: {error}"
        ) from error


def _checked(kind: type, value: Mapping[str, Any]) -> dict[str, Any]:
    names = {field.name for field in fields(kind)}
    if set(value) != names:
        raise DataError(
            f"{kind.__name__}: expected the fields {sorted(names)}, found {sorted(value)}"
        )
    return dict(value)


def _vectors(value: dict[str, Any]) -> dict[str, Any]:
    return {
        key: tuple(_number(key, part) for part in item)
        if isinstance(item, list)
        else (item if key == "name" else _number(key, item))
        for key, item in value.items()
    }


def _number(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e6:
        raise DataError(f"{name}: expected a finite number, found {value!r}")
    return round(float(value), DECIMALS) + 0.0


__all__ = ["DECIMALS", "LIGHTS", "Camera", "Light", "Scene", "SceneObject", "Vector", "from_json"]
