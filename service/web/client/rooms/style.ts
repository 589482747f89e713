/** The style of charts and lists, which several rooms share; `style/app.css` has that of the shell. */

import { forPointers } from "../board/pointing.ts";
import { adopt } from "../board/sheets.ts";
import cups from "../style/cups.css" with { type: "text" };

adopt(document, cups);
forPointers(document);
