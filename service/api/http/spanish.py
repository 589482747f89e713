"""The API's problems in Spanish: their titles, and the sentences that people meet on the page.

The titles in English are in ``service.problems``.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from rules.kernel.canonical import JsonObject
from service.problems import CODES

TITLES: Mapping[str, str] = MappingProxyType(
    {
        "not_json": "El cuerpo no es JSON",
        "too_deep": "El cuerpo está anidado demasiado hondo",
        "too_long": "Una lista o un texto es demasiado largo",
        "bad_request": "No se puede leer la petición",
        "range_not_satisfiable": "No existe esa parte",
        "uri_too_long": "La dirección es demasiado larga",
        "headers_too_large": "Las cabeceras son demasiado grandes",
        "not_found": "Aquí no hay nada",
        "method_not_allowed": "Este recurso no tiene ese método",
        "too_large": "El cuerpo es demasiado grande",
        "unsupported_media_type": "El cuerpo no está declarado como JSON",
        "unsupported_encoding": "El cuerpo está comprimido o codificado de otra forma",
        "invalid_body": "El cuerpo no es lo que admite este recurso",
        "invalid_query": "La consulta no es lo que admite este recurso",
        "invalid_header": "Una cabecera no es lo que admite este recurso",
        "invalid_cursor": "El cursor no es de esta lista",
        "bad_options": "El juego no ofrece eso",
        "bad_tournament": "Este torneo no se puede celebrar",
        "unknown_bot": "No existe ese bot",
        "key_required": "Hace falta la clave de un jugador",
        "unknown_key": "Nadie tiene esta clave",
        "key_expired": "El plazo de esta clave ha terminado",
        "seat_key_over": "La partida de esta clave ha terminado para su asiento",
        "unknown_ticket": "Este pase no existe, está usado o es demasiado antiguo",
        "token_required": "Esto es para quien opera el servicio",
        "admin_key_required": "Hace falta la clave de un administrador",
        "not_admin": "Esto es para administradores",
        "insufficient_scope": "Esta clave no sirve para eso",
        "banned": "Este jugador está expulsado",
        "not_your_seat": "Este asiento no es tuyo",
        "not_your_table": "Esta mesa es de otra persona",
        "not_your_tournament": "Este torneo es de otra persona",
        "too_many_tournaments": "Organizas demasiados torneos a la vez",
        "too_many_games": "Demasiadas partidas tuyas están sin terminar",
        "too_many_analyses": "Hay demasiados análisis en marcha",
        "too_many_hints": "Hay demasiadas pistas en marcha",
        "stream_share_used": "Ya tienes tantas transmisiones como se permiten",
        "too_many_records": "Desde tu dirección se descargan ya todos los registros permitidos",
        "too_many_connections": "Tu dirección tiene demasiadas conexiones abiertas",
        "rate_limited": "Demasiadas peticiones",
        "unknown_ruleset": "No existe ese juego",
        "unknown_edition": "No existe esa edición",
        "unknown_document": "El juego no tiene ese documento",
        "unknown_game": "No existe esa partida",
        "unknown_tournament": "No existe ese torneo",
        "unknown_seat": "La partida no tiene ese asiento",
        "unknown_webhook": "No tienes ese webhook",
        "unknown_subscription": "No tienes esa suscripción de avisos",
        "unknown_seek": "No tienes esa búsqueda",
        "no_such_bot": "No tienes ese bot",
        "unknown_player": "No existe ese jugador",
        "no_analysis": "Nadie ha pedido este análisis",
        "no_hint": "Nadie ha pedido esta pista",
        "no_such_key": "No tienes esa clave",
        "unknown_version": "La partida no tiene esa versión",
        "illegal_move": "Las reglas rechazan esta jugada",
        "unknown_head": "Ningún evento de esta partida tiene el hash de `expected_head`",
        "stale_version": "La partida ha seguido",
        "not_your_turn": "A este asiento no se le pregunta nada",
        "seat_resigned": "Este asiento ha abandonado",
        "already_resigned": "Este asiento ya había abandonado",
        "too_late": "El tiempo para esta decisión ha terminado",
        "no_hints": "En esta mesa no se dan pistas",
        "no_signatures": "Este asiento no firma nada",
        "signing_key_missing": "En esta mesa los jugadores firman sus jugadas",
        "signing_key_weak": "Cualquiera puede firmar por esta clave",
        "signature_missing": "Este asiento firma sus jugadas",
        "head_missing": "La firma abarca también una cabeza",
        "decision_not_open": "Lo firmado contesta a otra decisión",
        "signature_wrong": "La clave de este asiento no firmó esto",
        "stale_head": "La cabeza firmada es demasiado antigua",
        "no_take_back": "En esta mesa no se retira ninguna jugada",
        "not_to_take_back": "Esto no se puede retirar",
        "taken_back_often": "Esto se ha retirado ya tres veces",
        "game_over": "La partida ha terminado",
        "not_running": "La partida no ha empezado",
        "not_in_lobby": "La partida ya no espera jugadores",
        "not_closed": "No se espera entropía",
        "no_entropy_expected": "Este asiento no debe entropía",
        "other_rematch": "El compromiso es para otra partida",
        "entropy_mismatch": "Esta no es la entropía a la que se comprometió",
        "game_sealed": "Se juegan otras partidas con la misma suerte",
        "tournament_not_running": "El torneo no está en marcha",
        "tournament_not_paused": "El torneo no está en pausa",
        "tournament_over": "El torneo ha terminado",
        "entry_not_playing": "Ese participante no juega",
        "no_place_free": "El torneo no admite ahora a los bots de otros",
        "entered_already": "El bot ya está inscrito",
        "validation_failed": "El bot no terminó a tiempo su partida de prueba",
        "too_few_entries": "Hay demasiado pocas inscripciones para empezar",
        "fixed_length": "El formato fija el número de partidas",
        "seat_taken": "El asiento está ocupado",
        "seat_open": "El asiento ya está libre",
        "seat_reserved": "El asiento está guardado para otra persona",
        "not_challenged": "Aquí no hay ningún asiento guardado para ti",
        "bot_absent": "El bot no está a la escucha en este momento",
        "bot_busy": "El bot juega ya tantas partidas como admite",
        "seek_matched": "La búsqueda ha encontrado su partida",
        "too_many_seeks": "Hay demasiadas búsquedas en espera",
        "bot_does_not_play": "El bot no admite esas partidas",
        "rated_table": "Esta mesa cuenta para la clasificación",
        "bot_for_good": "Un programa no vuelve nunca a ser una persona",
        "rated_person": "Estás en la clasificación como persona",
        "removed_by_host": "Quien abrió la mesa te ha hecho salir",
        "invitation_refused": "Esta invitación no abre nada aquí",
        "too_many_invitations": "La mesa tiene demasiadas invitaciones",
        "no_player_there": "Ningún jugador ocupa este asiento",
        "not_ended": "La partida no ha terminado",
        "too_many_keys": "Ya tienes tantas claves como se permiten",
        "too_many_bots": "Ya tienes tantos bots como se permiten",
        "too_many_versions": "El bot ha tenido ya las versiones nuevas permitidas en un día",
        "too_many_webhooks": "Ya tienes tantos webhooks como se permiten",
        "too_many_subscriptions": "Ya tienes avisos en tantos navegadores como se permiten",
        "last_full_key": "Es tu única clave con todos los derechos",
        "still_playing": "Todavía juegas",
        "idempotency_key_reused": "Esta Idempotency-Key es de otra petición",
        "already_answered": "Ya se respondió a esto, con un secreto que se dice una sola vez",
        "game_suspended": "Quien opera el servicio ha suspendido esta partida",
        "not_suspended": "Esta partida no está suspendida",
        "tournament_game": "Esta partida es de un torneo",
        "upgrade_unfinished": "Puede que una versión anterior juegue aún con estos datos",
        "rules_version_unavailable": "Ningún reglamento instalado puede jugar esta partida",
        "game_damaged": "El registro de esta partida está dañado",
        "tournament_damaged": "El registro de este torneo está dañado",
        "unconfirmed": "El cambio está guardado, pero aún no tan seguro como se configuró",
        "report_unfinished": "Se está haciendo el informe de este torneo",
        "conflict": "Otros cambiaron antes esta partida, una y otra vez",
        "too_many_streams": "Aquí no se pueden abrir más transmisiones",
        "storage_nearly_full": "No se puede abrir nada nuevo: el almacén está casi lleno",
        "store_unavailable": "No se puede llegar a las partidas",
        "stopping": "Este proceso está a punto de terminar",
        "internal_error": "El servicio ha cometido un error",
    }
)

_LONGEST = 500
"""The length of the longest sentence that is looked up, for that takes time."""
_OTHERWISE = "este valor no se admite"
"""The sentence for a wrong field whose English sentence has no translation in SENTENCES."""
SENTENCES: Mapping[str, str] = MappingProxyType(
    {
        # Of any field
        "Missing data for required field.": "falta",
        "Field may not be null.": "no puede ser null",
        "Unknown field.": "este campo no existe",
        "given more than once": "está más de una vez",
        "Not a valid string.": "tiene que ser un texto",
        "Not a valid integer.": "tiene que ser un número entero",
        "Not a valid number.": "tiene que ser un número",
        "Not a valid boolean.": "tiene que ser true o false",
        "Not a valid list.": "tiene que ser una lista",
        "Not a valid mapping type.": "tiene que ser un objeto",
        "Invalid input type.": "tiene que ser un objeto",
        "an object": "tiene que ser un objeto",
        "Must be one of: {}.": "tiene que ser uno de estos valores: {}",
        "Must be greater than or equal to {} and less than or equal to {}.": (
            "tiene que estar entre {} y {}"
        ),
        "Must be greater than or equal to {}.": "tiene que ser {} o más",
        "Must be less than or equal to {}.": "tiene que ser {} o menos",
        "Shorter than minimum length {}.": "su longitud tiene que ser {} o más",
        "Longer than maximum length {}.": "su longitud tiene que ser {} o menos",
        "Length must be between {} and {}.": "su longitud tiene que estar entre {} y {}",
        "Length must be {}.": "su longitud tiene que ser {}",
        "String does not match expected pattern.": "no tiene la forma que se admite",
        # Of names
        "{} is a control character": "{} es un carácter de control",
        "{} is invisible, or changes how the text around it is shown": (
            "{} no se ve, o cambia cómo se muestra el texto de alrededor"
        ),
        "{} is not assigned to any character": "{} no es ningún carácter asignado",
        "{} is for private use: nobody else knows what it shows": (
            "{} es de uso privado: nadie más sabe qué muestra"
        ),
        "{} is half a character": "{} es medio carácter",
        "{} breaks the line": "{} parte la línea",
        "it shows nothing": "no muestra nada",
        "{} is one of too many marks on one letter": "{} es una de demasiadas marcas en una letra",
        "{} does nothing where it is": "{} no hace nada donde está",
        # Of tables and seeks
        "a rated table is public, for all to see what ratings come of": (
            "una mesa puntuable es pública, para que todos vean de dónde salen las puntuaciones"
        ),
        "at a rated table, no move is taken back": "en una mesa puntuable no se deshacen jugadas",
        "a rated table has two seats or more": "una mesa puntuable tiene dos asientos o más",
        "a rated table is for people, each on one seat": (
            "una mesa puntuable es para personas, cada una en un asiento"
        ),
        "a rated table is for people": "una mesa puntuable es para personas",
        "at least `min_rating`": "tiene que ser `min_rating` o más",
        "programs have no ratings": "los programas no tienen puntuación",
        "seats that are kept for bots are not drawn": (
            "los asientos guardados para bots no se sortean"
        ),
        "not after `from`": "no puede ser posterior a `from`",
        "you hold several seats: name one": "tienes varios asientos: nombra uno",
        # Of what is not there, or not yours
        "there is nothing at {}": "no hay nada en {}",
        "there is no game {}": "no existe la partida {}",
        "there is no tournament {}": "no existe el torneo {}",
        "there is no player {}": "no existe el jugador {}",
        "there is no ruleset {}": "no existe el juego {}",
        "this resource has no {}": "este recurso no tiene {}",
        "there is no seat {}": "no existe el asiento {}",
        "there is no bot account {}": "no existe la cuenta de bot {}",
        "seat {} is not yours": "el asiento {} no es tuyo",
        "you hold no seat in this game": "no tienes asiento en esta partida",
        "you have no key {}": "no tienes la clave {}",
        "you have no bot {}": "no tienes el bot {}",
        "you have no seek {}": "no tienes la búsqueda {}",
        "you have no webhook {}": "no tienes el webhook {}",
        "{} is banned since {}": "{} está expulsado desde {}",
        "its game begins now": "su partida empieza ahora",
        "its game has begun": "su partida ha empezado",
        "{} does not listen for questions": "{} no escucha preguntas",
        "{} takes {} games at once": "{} admite {} partidas a la vez",
        "you have played rated as a person": "has jugado partidas puntuables como persona",
        "you are just sitting down at a rated table": "te estás sentando en una mesa puntuable",
    }
)
"""Sentences in Spanish by their form in English, in which ``{}`` stands for any value."""
_FORMS = [
    (re.compile("(.+)".join(map(re.escape, english.split("{}"))), re.DOTALL), spanish)
    for english, spanish in SENTENCES.items()
]


def in_spanish(document: JsonObject) -> JsonObject:
    """Return a problem document with its sentences in Spanish.

    A detail that says no more than the title becomes the title. One that is in no table stays in
    English, because it has values that people and programs need.
    """
    code, detail = document["code"], document["detail"]
    told = {**document, "title": TITLES[code], "detail": sentence(detail) or detail}
    if detail == CODES[code].title:
        told["detail"] = TITLES[code]
    if errors := document.get("errors"):
        told["errors"] = [
            {**one, "message": sentence(one["message"]) or _OTHERWISE} for one in errors
        ]
        first, spanish = errors[0], told["errors"][0]["message"]
        if detail == f"{first['field']}: {first['message']}" and spanish != _OTHERWISE:
            told["detail"] = f"{first['field']}: {spanish}"
    return told


def sentence(english: str) -> str | None:
    """Return a sentence in Spanish; None if it is not among SENTENCES, or very long."""
    if len(english) > _LONGEST:
        return None
    for form, spanish in _FORMS:
        if found := form.fullmatch(english):
            return spanish.format(*found.groups())
    return None
