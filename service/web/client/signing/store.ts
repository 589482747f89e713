/**
 * Where a browser keeps keys: in IndexedDB, which can store a key that no script can read. The page
 * of a service deletes this database when its player signs out (browser/identity.ts).
 */

interface Kept {
  readonly name: string;
  /** The public key, in hexadecimal. */
  readonly public: string;
  readonly pair: CryptoKeyPair;
}

const DATABASE = "lonja:signing_keys";
const KEYS = "keys";

/** The pair with a name; if there is none, the one that `make` makes, once it is stored. */
export async function pairNamed(name: string, make: () => Promise<Kept>): Promise<CryptoKeyPair> {
  const find = (keys: IDBObjectStore) => keys.get(name);
  const known = await within<Kept>("readonly", find);
  if (known) return known.pair;
  const made = await make();
  // Another tab may have made one meanwhile: the first one stays.
  await within("readwrite", (keys) => keys.add(made)).catch(() => {});
  const first = await within<Kept>("readonly", find);
  if (!first) throw new Error("it was not stored");
  return first.pair;
}

/** The pair with a public key; null if there is none. */
export async function pairOf(publicKey: string): Promise<CryptoKeyPair | null> {
  const known = await within<Kept>("readonly", (keys) => keys.index("public").get(publicKey));
  return known?.pair ?? null;
}

/** Asks the database, and closes it, so that another tab can delete it. */
async function within<T>(
  mode: IDBTransactionMode,
  ask: (keys: IDBObjectStore) => IDBRequest,
): Promise<T | undefined> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () =>
    opening.result
      .createObjectStore(KEYS, { keyPath: "name" })
      .createIndex("public", "public", { unique: true });
  const database = await answer<IDBDatabase>(opening);
  try {
    const transaction = database.transaction(KEYS, mode, { durability: "strict" });
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    const [found] = await Promise.all([
      answer<T | undefined>(ask(transaction.objectStore(KEYS))),
      done,
    ]);
    return found;
  } finally {
    database.close();
  }
}

function answer<T>(request: IDBRequest): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result as T);
    request.onerror = () => reject(request.error);
  });
}
