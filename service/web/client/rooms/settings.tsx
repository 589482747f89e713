/** The settings of this browser. */

import { useState } from "preact/hooks";
import { language } from "../browser/language.ts";
import { choose, settings } from "../browser/settings.ts";
import { chime } from "../browser/sound.ts";
import { useTitle } from "../browser/title.ts";
import { phrases } from "../phrases/phrases.ts";
import { LANGUAGES, type Language } from "../words/languages.ts";
import { KEY_HELP } from "./key_words.ts";
import { settingsWords } from "./settings_words.ts";

export function SettingsRoom() {
  const words = phrases.value;
  const own = settingsWords.value;
  useTitle(words.settings);
  const now = settings.value;
  const [refused, setRefused] = useState(false);
  const notify = async (wanted: boolean) => {
    const allowed =
      wanted && "Notification" in window && (await Notification.requestPermission()) === "granted";
    setRefused(wanted && !allowed);
    choose({ notify: allowed });
  };
  return (
    <>
      <h1>{words.settings}</h1>
      <div class="form card">
        <label>
          {own.language}
          <select
            value={now.language ?? ""}
            onChange={(event) =>
              choose({ language: (event.currentTarget.value || null) as Language | null })
            }
          >
            <option value="">{own.asBrowser}</option>
            {Object.entries(LANGUAGES).map(([tongue, name]) => (
              <option key={tongue} value={tongue} lang={tongue}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          {own.theme}
          <select
            value={now.theme}
            onChange={(event) => choose({ theme: event.currentTarget.value as typeof now.theme })}
          >
            {Object.entries(own.themes).map(([theme, name]) => (
              <option key={theme} value={theme}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          {words.pace}
          <select
            value={now.pace}
            onChange={(event) => choose({ pace: Number(event.currentTarget.value) })}
          >
            {Object.entries(words.paces).map(([pace, name]) => (
              <option key={pace} value={pace}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Check
          label={own.confirmMoves}
          on={now.confirm}
          onChange={(confirm) => choose({ confirm })}
        />
        <Check label={own.motion} on={now.motion} onChange={(motion) => choose({ motion })} />
        <Check label={own.sound} on={now.sound} onChange={(sound) => choose({ sound })} />
        {now.sound && (
          <button type="button" class="plain" onClick={chime}>
            {own.trySound}
          </button>
        )}
        <Check label={own.notify} on={now.notify} onChange={notify} />
        {refused && <p role="alert">{own.notifyRefused}</p>}
      </div>
      <h2>{own.keys}</h2>
      <dl class="keys">
        {KEY_HELP[language.value].map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Check({
  label,
  on,
  onChange,
}: {
  label: string;
  on: boolean;
  onChange: (on: boolean) => unknown;
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={on}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />{" "}
      {label}
    </label>
  );
}
