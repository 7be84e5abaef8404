import type { ChainSender } from '../../adapter.ts'
import { broadcast } from './broadcast.ts'
import { readOutcome } from './outcome.ts'
import { planSend } from './plan.ts'
import { signSend } from './sign.ts'

/** Sending on TRON: a transaction lives ten minutes, has no sequence, and is never replaced by another. */
export const tronSender: ChainSender = { plan: planSend, sign: signSend, broadcast, outcome: readOutcome }
