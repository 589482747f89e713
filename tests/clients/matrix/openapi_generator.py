"""Plays with openapi-generator's client: python openapi_generator.py http://127.0.0.1:8000."""

import json
import random
import sys
import time
import uuid

import openapi_client as oc

client = oc.ApiClient(oc.Configuration(host=sys.argv[1]))
asked = oc.PlayerRequest(name="Python", kind="bot")
client.configuration.access_token = oc.PlayersApi(client).create_player(asked).key
games, api, events = oc.GamesApi(client), oc.PlayApi(client), oc.EventsApi(client)


def once() -> str:
    return uuid.uuid4().hex


for ruleset in oc.RulesetsApi(client).list_rulesets().rulesets:
    bots = [oc.SeatRequest(holder="bot", bot="greedy")] * (max(ruleset.min_seats, 2) - 1)
    table = oc.GameRequest(ruleset=ruleset.id, seats=[oc.SeatRequest(holder="me"), *bots])
    game = games.create_game(table, idempotency_key=once()).id
    after = moves = effects = 0
    status = ""
    while status != "ended":
        for event in events.list_events(
            game, after=after, include=["effects", "words", "state"]
        ).events:
            after = event.seq
            effects += len(event.effects or ())
        api.get_state(game)
        legal = api.list_legal_moves(game)
        if legal.moves:
            move = random.choice(legal.moves)
            answer = oc.MoveRequest(seat=0, move=move, expected_version=legal.version)
            try:
                api.play_move(game, answer, idempotency_key=once())
                moves += 1
            except oc.exceptions.ConflictException:
                pass  # another move came first
        else:
            status = games.get_game(game).status
            time.sleep(0.05)
    told = {"ruleset": ruleset.id, "status": status, "moves": moves, "effects": effects}
    print(json.dumps(told), flush=True)
