/** The service that this page comes from, with the credentials of this browser's player. */

import { Service } from "../api/client.ts";
import { Rulesets } from "../board/rulesets.ts";
import { compareClocks } from "./clock.ts";
import { reached } from "./connection.ts";
import { identity, keyLost } from "./identity.ts";
import { invitation } from "./invitation.ts";
import { language } from "./language.ts";
import { loaded } from "./load.ts";
import { loading } from "./release.ts";

export const service = new Service({
  url: location.origin,
  credentials: () => ({
    key: identity.peek()?.key,
    invitation: invitation.peek() ?? undefined,
  }),
  language: () => language.peek(),
  onReached: reached,
  onKeyLost: () => {
    keyLost.value = true;
  },
});

export const { api } = service;
api.use({ onResponse: ({ response }) => compareClocks(response) });

export const rulesets = new Rulesets(service, (id, digests) =>
  loading(() => loaded(service, id, digests)),
);
