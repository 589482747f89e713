/** The style of charts and lists, which several rooms share; `style/app.css` has that of the shell. */

import { adopt } from "../board/sheets.ts";
import cups from "../style/cups.css" with { type: "text" };

adopt(document, cups);
