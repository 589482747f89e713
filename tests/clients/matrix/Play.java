import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

/** Plays a game of each ruleset by what openapi-generator makes for Java: java Play http://127.0.0.1:8000 */
class Play {
    static String once() {
        return UUID.randomUUID().toString();
    }

    public static void main(String[] told) throws Exception {
        var client = new ApiClient();
        client.updateBaseUri(told[0]);
        var asked = new PlayerRequest().name("Java").kind(PlayerRequest.KindEnum.BOT);
        var key = new PlayersApi(client).createPlayer(asked, once()).getKey();
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + key));
        for (var ruleset : new RulesetsApi(client).listRulesets(null, null, null).getRulesets())
            game(client, ruleset);
    }

    static void game(ApiClient client, RulesetSummary ruleset) throws Exception {
        var games = new GamesApi(client);
        var play = new PlayApi(client);
        var bot = new SeatRequest().holder(SeatRequest.HolderEnum.BOT).bot("greedy");
        var bots = Stream.generate(() -> bot).limit(Math.max(ruleset.getMinSeats(), 2) - 1);
        var me = new SeatRequest().holder(SeatRequest.HolderEnum.ME);
        var request = new GameRequest().ruleset(ruleset.getId()).seats(Stream.concat(Stream.of(me), bots).toList());
        var id = games.createGame(request, null, null, once()).getId();
        int moves = 0, effects = 0, after = 0;
        for (;;) {
            var page = new EventsApi(client)
                .listEvents(id, null, null, null, after, null, null, List.of("effects", "words", "state"), null, null);
            for (var event : page.getEvents()) {
                after = event.getSeq();
                effects += event.getEffects().size();
            }
            play.getState(id, null, null, null, null, null, null);
            var legal = play.listLegalMoves(id, null, null, null, null, null);
            if (!legal.getMoves().isEmpty()) {
                var move = legal.getMoves().get(new Random().nextInt(legal.getMoves().size()));
                try {
                    var answer = new MoveRequest().seat(0).move(move).expectedVersion(legal.getVersion());
                    play.playMove(id, answer, null, null, once());
                    moves++;
                } catch (ApiException refused) {
                    if (refused.getCode() != 409) throw refused; // somebody was faster
                }
            } else if (games.getGame(id, null, null, null, null).getStatus() == Game.StatusEnum.ENDED) {
                break;
            } else {
                Thread.sleep(50);
            }
        }
        System.out.println(client.getObjectMapper().writeValueAsString(
            Map.of("ruleset", ruleset.getId(), "status", "ended", "moves", moves, "effects", effects)));
    }
}
