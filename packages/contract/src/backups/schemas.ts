import * as z from 'zod/mini'

import { int, ts } from '../kit/codecs.ts'

/** A backup file that was read whole: after it was taken, or when this install was restored from it. Where it is, no answer says. */
export const Backup = z.object({
  kind: z.enum(['taken', 'restored']),
  /** The moment that it holds. */
  takenAt: ts,
  /** When it had been read back, or restored. */
  recordedAt: ts,
  rows: int,
  bytes: int,
  /** Without the master key in it, a restore needs the key from elsewhere. */
  hasMasterKey: z.boolean(),
  /** The version of Kassa that took it. */
  version: z.string(),
  /** Whether it is where it was written, with the size it had; null where this server cannot know: it lies on another machine. */
  file: z.nullable(z.enum(['found', 'changed', 'missing'])),
})
export type Backup = z.output<typeof Backup>

export const BackupState = z.object({
  /** The newest is older than `remindAfterDays`, or there is none; never on the sandbox. */
  isDue: z.boolean(),
  /** 0: no reminder. */
  remindAfterDays: int,
  /** The newest by the moment it holds, also when the install was restored from it. */
  last: z.nullable(Backup),
  /** The one that this install was restored from most recently. */
  restored: z.nullable(Backup),
})
export type BackupState = z.output<typeof BackupState>
