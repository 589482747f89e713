/** Panels of the account that are loaded by themselves, as they are long and seldom needed. */

export { Notifications } from "./notifications.tsx";
export { WebhooksOf } from "./webhooks.tsx";
