// What the pages share: elements made of text, and reads of the public API.
export function element(name, text = "", className = "") {
  const made = document.createElement(name);
  made.textContent = text; // names are other people's: never HTML
  made.className = className;
  return made;
}

export function link(text, href) {
  const made = element("a", text);
  made.href = href;
  return made;
}

export function table(head, rows, textColumns = [0]) {
  const made = element("table");
  for (const cells of [head, ...rows]) {
    const row = made.insertRow();
    cells.forEach((cell, column) => {
      const box = element(cells === head ? "th" : "td", "", textColumns.includes(column) ? "text" : "");
      box.append(cell ?? "");
      row.append(box);
    });
  }
  const frame = element("div", "", "wide");
  frame.append(made);
  return frame;
}

export async function get(path) {
  const answer = await fetch(path, { headers: { Accept: "application/json" } });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.detail);
  return body;
}

const REFUSED_MS = 30000;

// Calls refresh whenever a stream has news, until it ends. `url` says where to go on.
export function listen(url, refresh) {
  const stream = new EventSource(url());
  stream.onmessage = refresh;
  stream.addEventListener("rewound", () => location.reload()); // what is shown never happened
  stream.addEventListener("end", () => {
    stream.close();
    refresh();
  });
  stream.onerror = () => { // what was refused, for want of room, the browser does not ask for again
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => listen(url, refresh), REFUSED_MS);
  };
}
