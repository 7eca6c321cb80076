"""The names and symbols of units that answers use, each with the name that `pint` knows.

Only names of this list ever reach `pint`. A symbol that stands for two units in answers has both.
"""

from __future__ import annotations

_PREFIXES = {
    "Y": 24,
    "Z": 21,
    "E": 18,
    "P": 15,
    "T": 12,
    "G": 9,
    "M": 6,
    "k": 3,
    "h": 2,
    "da": 1,
    "d": -1,
    "c": -2,
    "m": -3,
    "u": -6,
    "μ": -6,
    "n": -9,
    "p": -12,
    "f": -15,
    "a": -18,
}
_LONG_PREFIXES = {
    "tera": 12,
    "giga": 9,
    "mega": 6,
    "kilo": 3,
    "hecto": 2,
    "deci": -1,
    "centi": -2,
    "milli": -3,
    "micro": -6,
    "nano": -9,
    "pico": -12,
    "femto": -15,
}
# Symbol or word, "=" the name in pint where it differs, of units that take SI prefixes.
_PREFIXED_SYMBOLS = (
    "m=meter g=gram s=second A=ampere K=kelvin mol=mole N=newton J=joule W=watt Pa=pascal"
    " Hz=hertz V=volt Ω=ohm ohm Ohm=ohm S=siemens H=henry T=tesla Wb=weber L=liter l=liter"
    " eV=electron_volt cal=calorie Wh=watt_hour bar B=byte b=bit Bq=becquerel Sv=sievert Gy=gray"
    " lm=lumen lx=lux pc=parsec rad=radian sr=steradian kat=katal Ah=ampere_hour Da=dalton M=molar"
    " VA=volt_ampere"
)
_PREFIXED_WORDS = (
    "meter metre=meter gram gramme=gram second ampere amp=ampere kelvin mole newton joule watt"
    " pascal hertz volt ohm siemens henry tesla weber liter litre=liter electronvolt=electron_volt"
    " calorie byte bit becquerel sievert gray lumen lux parsec radian steradian bar farad coulomb"
    " molar dalton"
)
_SYMBOLS = (
    "min=minute h=hour hr=hour hrs=hour sec=second secs=second mins=minute d=day yr=year"
    " yrs=year wk=week wks=week ft=foot in=inch inch yd=yard mi=mile lb=pound lbs=pound"
    " oz=ounce lbf=pound_force mph=mph kph=kph kmph=kph rpm=rpm psi=psi atm=atmosphere"
    " torr=torr Torr=torr mmHg=millimeter_Hg mmhg=millimeter_Hg kWh=kilowatt_hour"
    " Cal=kilocalorie hp=horsepower u=dalton amu=dalton au=astronomical_unit"
    " AU=astronomical_unit ly=light_year Å=angstrom cd=candela acre ha=hectare"
    " kgf=kilogram_force dyn=dyne erg=erg P=poise cP=centipoise D=debye gal=gallon"
    " cc=cubic_centimeter deg=degree °=degree rev=revolution arcmin=arcminute"
    " arcsec=arcsecond kn=knot ppm=ppm t=metric_ton tonne=metric_ton nmi=nautical_mile"
    " degC=celsius degF=fahrenheit °C=celsius °F=fahrenheit °K=kelvin ℃=celsius ℉=fahrenheit"
    " ºC=celsius fps=foot_per_second"
)
_WORDS = (
    "minute hour day week month year century inch inche=inch foot yard mile pound"
    " ounce gallon quart pint acre hectare horsepower angstrom atmosphere degree revolution"
    " turn=revolution cycle=revolution lightyear=light_year knot tonne=metric_ton gauss dyne erg"
    " candela poise debye celsius centigrade=celsius fahrenheit arcminute arcsecond dollar=dollar"
    " buck=dollar cent=cent euro=euro yuan=yuan rupee=rupee yen=yen stone micron=micron"
    " quid=sterling lightspeed=speed_of_light"
)
_PLURALS = "feet=foot centuries=century"
_MONEY = (
    "$=dollar ¤=dollar USD=dollar ¢=cent €=euro EUR=euro £=sterling GBP=sterling CNY=yuan RMB=yuan"
    " JPY=yen"
)
_CHINESE = {
    "米": ("meter", 0),
    "千米": ("meter", 3),
    "公里": ("meter", 3),
    "厘米": ("meter", -2),
    "毫米": ("meter", -3),
    "微米": ("meter", -6),
    "纳米": ("meter", -9),
    "分米": ("meter", -1),
    "秒": ("second", 0),
    "毫秒": ("second", -3),
    "分钟": ("minute", 0),
    "小时": ("hour", 0),
    "时": ("hour", 0),
    "天": ("day", 0),
    "年": ("year", 0),
    "克": ("gram", 0),
    "千克": ("gram", 3),
    "公斤": ("gram", 3),
    "毫克": ("gram", -3),
    "吨": ("metric_ton", 0),
    "牛": ("newton", 0),
    "牛顿": ("newton", 0),
    "焦": ("joule", 0),
    "焦耳": ("joule", 0),
    "千焦": ("joule", 3),
    "瓦": ("watt", 0),
    "瓦特": ("watt", 0),
    "千瓦": ("watt", 3),
    "伏": ("volt", 0),
    "伏特": ("volt", 0),
    "安": ("ampere", 0),
    "安培": ("ampere", 0),
    "欧": ("ohm", 0),
    "欧姆": ("ohm", 0),
    "帕": ("pascal", 0),
    "千帕": ("pascal", 3),
    "赫兹": ("hertz", 0),
    "赫": ("hertz", 0),
    "特斯拉": ("tesla", 0),
    "库仑": ("coulomb", 0),
    "升": ("liter", 0),
    "毫升": ("liter", -3),
    "度": ("degree", 0),
    "弧度": ("radian", 0),
    "摄氏度": ("celsius", 0),
    "华氏度": ("fahrenheit", 0),
    "开尔文": ("kelvin", 0),
    "摩尔": ("mole", 0),
    "元": ("yuan", 0),
    "美元": ("dollar", 0),
    "欧元": ("euro", 0),
}
_SEVERAL = {
    "C": (("coulomb", 0), ("celsius", 0)),
    "F": (("farad", 0), ("fahrenheit", 0)),
    "G": (("gauss", 0),),
    "ton": (("metric_ton", 0), ("ton", 0)),
    "tons": (("metric_ton", 0), ("ton", 0)),
    "M": (("molar", 0),),
    "pound": (("pound", 0), ("sterling", 0)),
    "pounds": (("pound", 0), ("sterling", 0)),
    "¥": (("yuan", 0), ("yen", 0)),
    "foot_pound": (("foot_pound", 0),),
    "am": (),
}

Name = tuple[str, int]


def _pairs(text: str) -> list[tuple[str, str]]:
    return [(w.partition("=")[0], w.partition("=")[2] or w) for w in text.split()]


def _words_of(text: str) -> dict[str, str]:
    return {w + s: name for w, name in _pairs(text) for s in ("", "s")} | dict(_pairs(_PLURALS))


def _table() -> dict[str, tuple[Name, ...]]:
    table: dict[str, tuple[Name, ...]] = {}
    for symbol, name in [*_pairs(_PREFIXED_SYMBOLS), ("C", "coulomb"), ("F", "farad")]:
        for prefix, power in _PREFIXES.items():
            table[prefix + symbol] = ((name, power),)
        table[symbol] = ((name, 0),)
    for word, name in _words_of(_PREFIXED_WORDS).items():
        for prefix, power in _LONG_PREFIXES.items():
            table[prefix + word] = ((name, power),)
        table[word] = ((name, 0),)
    for word, name in [*_words_of(_WORDS).items(), *_pairs(_SYMBOLS), *_pairs(_MONEY)]:
        table[word] = ((name, 0),)
    return {**table, **{word: (name,) for word, name in _CHINESE.items()}, **_SEVERAL}


_TABLE = _table()
_WRONG_CASE = {
    "hz": "Hz",
    "HZ": "Hz",
    "Hr": "hr",
    "Sec": "sec",
    "CM": "cm",
    "Cm": "cm",
    "Ft": "ft",
    "ATM": "atm",
    "RPM": "rpm",
    "MPH": "mph",
    "ml": "mL",
    "ML": "mL",
    "ev": "eV",
    "EV": "eV",
    "ohms": "ohm",
    "Ohms": "ohm",
    "amps": "amp",
    "kwh": "kWh",
    "KWh": "kWh",
    "KWH": "kWh",
    "khz": "kHz",
    "KHZ": "kHz",
    "mhz": "MHz",
    "MHZ": "MHz",
    "ghz": "GHz",
    "KPH": "kph",
    "kmh": "kph",
    "PSI": "psi",
    "kPA": "kPa",
    "nM": "nm",
    "mev": "MeV",
    "kev": "keV",
}
_PLURAL_SYMBOLS = frozenset(
    ["kg", "km", "cm", "mm", "mL", "ml", "oz", "yd", "kW", "MB", "GB", "ft", "kHz", "MHz"]
)


def names(word: str) -> tuple[Name, ...]:
    """The units that a word may mean, each as (name in pint, power of ten of its prefix).

    Parameters
    ----------
    word : one symbol or word, singular or plural: "km", "Kilometers", "米".

    Returns
    -------
    tuple of (name, power of ten)
        Empty for any other word. Symbols are case-sensitive apart from common slips ("Kg").
    """
    found = _TABLE.get(word) or _TABLE.get(_WRONG_CASE.get(word, ""))
    if found:
        return found
    if word[-1:] == "s" and word[:-1] in _PLURAL_SYMBOLS:
        return _TABLE[word[:-1]]
    lower = word.lower()
    if len(word) > 3 and lower in _TABLE:
        return _TABLE[lower]
    if word[:1] == "K" and len(word) > 1:
        return _TABLE.get("k" + word[1:]) or _TABLE.get("k" + word[1:].lower(), ())
    return ()


__all__ = ["Name", "names"]
