/** The style of what is loaded later; `style/app.css` has that of the shell. */

import { adopt } from "../board/sheets.ts";
import account from "../style/account.css" with { type: "text" };
import analysis from "../style/analysis.css" with { type: "text" };
import checking from "../style/checking.css" with { type: "text" };
import cups from "../style/cups.css" with { type: "text" };

for (const style of [cups, analysis, checking, account]) adopt(document, style);
