"""A mypy plugin: checks the values of effects against their declared kinds.

``EFFECTS.declare("house_placed", seat=SEAT, space=SPACE)`` declares an effect. Its ``tell`` takes
``seat`` and ``space`` as keyword arguments, of the types that ``SEAT`` and ``SPACE`` can write. If
somebody passes a hex as ``space``, mypy reports an error.
"""

from collections.abc import Callable
from typing import cast

from mypy.expandtype import expand_type_by_instance
from mypy.maptype import map_instance_to_supertype
from mypy.nodes import ARG_NAMED, ARG_NAMED_OPT, ARG_STAR2, ArgKind, Expression, FuncDef
from mypy.plugin import MethodContext, Plugin
from mypy.types import AnyType, CallableType, Instance, Parameters, Type, TypeOfAny, get_proper_type

_ROOM = "rules.kernel.contract"


class EffectTypes(Plugin):
    """Gives ``tell`` of each declared effect its parameters."""

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        """Return the hook for ``declare``."""
        return _effect if fullname == f"{_ROOM}.effects.Effects.declare" else None


def _effect(context: MethodContext) -> Type:
    fields = context.callee_arg_names.index("fields")
    kinds = zip(context.args[fields], context.arg_kinds[fields], strict=True)
    told = [_told(context, kind, how) for kind, how in kinds]
    types, hows = [type_ for type_, _how in told], [how for _type, how in told]
    parameters = Parameters(types, hows, context.arg_names[fields])
    effect = cast("Instance", get_proper_type(context.default_return_type))
    return effect.copy_modified(args=[parameters])


def _told(context: MethodContext, kind: Expression, how: ArgKind) -> tuple[Type, ArgKind]:
    """Return the type of the values that ``kind`` writes, and the kind of the argument."""
    if how == ARG_STAR2:  # ``**arguments``: their names are not known here
        return AnyType(TypeOfAny.explicit), ARG_STAR2
    instance = get_proper_type(context.api.get_expression_type(kind))
    if not isinstance(instance, Instance):
        return AnyType(TypeOfAny.from_error), ARG_NAMED
    optional = instance.type.fullname == f"{_ROOM}.fields.Optional"
    return _written(instance), ARG_NAMED_OPT if optional else ARG_NAMED


def _written(kind: Instance) -> Type:
    """Return the type of the value that ``kind.write`` takes."""
    method = cast("FuncDef", kind.type["write"].node)
    _self, value = cast("CallableType", method.type).arg_types
    return expand_type_by_instance(value, map_instance_to_supertype(kind, method.info))


def plugin(_version: str) -> type[Plugin]:
    """Return the plugin; mypy calls this function."""
    return EffectTypes
