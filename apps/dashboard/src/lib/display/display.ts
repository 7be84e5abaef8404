import { writeOfAccount, writeStored } from '../device/stored.ts'

/** Display settings: each is kept with the account of who is signed in, else on this device. */
export type Display = {
  readonly theme: 'system' | 'light' | 'dark'
  /** `system`: the zone of the device. */
  readonly timeZone: string
  readonly density: 'comfortable' | 'compact'
  readonly singleKeys: boolean
  readonly setupGuide: boolean
}

export type DisplayChoice = Partial<Display>

/** What an account has of some settings; null where it has none, and the device's own stands. */
export type OfAccount = { readonly [Name in keyof Display]?: Display[Name] | null | undefined }

const NAMES = ['theme', 'timeZone', 'density', 'singleKeys', 'setupGuide'] as const satisfies (keyof Display)[]

/** Keeps a choice and returns true, or leaves it to the device. */
type Keeper = (choice: DisplayChoice) => boolean

let keep: Keeper | undefined

/** Chooses display settings; what is chosen shows at once. */
export function chooseDisplay(choice: DisplayChoice): void {
  if (keep?.(choice) === true) return
  for (const name of namesOf(choice)) writeStored(name, textOf(choice[name]))
}

/** Asks `keeper` first to keep what is chosen; returns the function that ends this. */
export function keepDisplayBy(keeper: Keeper): () => void {
  keep = keeper
  return () => {
    if (keep === keeper) keep = undefined
  }
}

/** Shows what the account has of the settings that are named. */
export function showOfAccount(display: OfAccount): void {
  for (const name of namesOf(display)) writeOfAccount(name, textOf(display[name]))
}

/** Shows what this device has of every setting, once nobody is signed in. */
export function showOfDevice(): void {
  for (const name of NAMES) writeOfAccount(name, undefined)
}

function namesOf(change: OfAccount): (keyof Display)[] {
  return NAMES.filter((name) => change[name] !== undefined)
}

/** How a setting is stored: a switch as `on` or `off`. */
function textOf(value: string | boolean | null | undefined): string | undefined {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return value ?? undefined
}
