/** Parts of tables that are loaded after the board, because most visitors only play on it. */

import { adopt } from "../board/sheets.ts";
import style from "../style/later.css" with { type: "text" };
import members from "../style/members.css" with { type: "text" };
import "./style.ts";

export { ViewInWords } from "../board/members.tsx";
export { Why } from "../play/why.tsx";
export { LobbyPanel } from "../table/lobby.tsx";
export { SinceYouLooked } from "../table/missed.tsx";
export { NotRated } from "../table/not_rated.tsx";
export { OutOfTime } from "../table/out_of_time.tsx";
export { Past, Supposed } from "../table/past.tsx";
export { ReceiptCheck } from "../table/receipt.tsx";
export { Result } from "../table/result.tsx";
export { Scrubber } from "../table/scrubber.tsx";
export { Seats } from "../table/seats.tsx";
export { Signed } from "../table/signs.tsx";
export { TargetsInSight } from "../table/targets_in_sight.tsx";

adopt(document, members);
adopt(document, style);
void import("../browser/offline.ts").catch(() => {});
