/** What the browser keeps of a sign-in, in the specification's shape. */
export type StoredUser = {
  readonly key: string
  readonly role: { readonly name: string }
  /** Whether a root account exists; true after any sign-in. */
  readonly rootExists: boolean
}

/** Why a session is over: decides the page and the sentence that follow. */
export type SessionEnd = 'unauthorized' | 'password-changed' | 'reset-password' | 'signed-out' | 'signed-out-elsewhere'

const ENTRY = 'user'

const listeners = new Set<(end: SessionEnd) => void>()

/** Returns the stored user; an entry of another shape, or without a key, is removed and counts as none. */
export function storedUser(): StoredUser | undefined {
  const text = localStorage.getItem(ENTRY)
  if (text === null) return undefined
  const user = parseUser(text)
  if (user === undefined) localStorage.removeItem(ENTRY)
  return user
}

/** Keeps the user of a sign-in. */
export function storeUser(user: StoredUser): void {
  localStorage.setItem(ENTRY, JSON.stringify(user))
}

/** Removes the stored user, which signs out this and every other tab, and notifies listeners why. */
export function endSession(end: SessionEnd): void {
  localStorage.removeItem(ENTRY)
  for (const listener of listeners) listener(end)
}

/** Calls `listener` when the session ends here or in another tab; returns the way to stop. */
export function onSessionEnd(listener: (end: SessionEnd) => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === ENTRY && event.newValue === null) listener('signed-out-elsewhere')
  }
  listeners.add(listener)
  window.addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', onStorage)
  }
}

/** Calls `listener` at a sign-in in another tab; returns the function that stops it. */
export function onSignInElsewhere(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === ENTRY && event.newValue !== null) listener()
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}

function parseUser(text: string): StoredUser | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isObject(value) || !isObject(value.role)) return undefined
  const { key, role, rootExists } = value
  if (typeof key !== 'string' || key === '') return undefined
  if (typeof role.name !== 'string' || typeof rootExists !== 'boolean') return undefined
  return { key, role: { name: role.name }, rootExists }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
