import type { ChainSender } from '../../adapter.ts'
import { broadcast } from './broadcast.ts'
import { bumpSend } from './bump.ts'
import { readOutcome } from './outcome.ts'
import { planSend, readSequences } from './plan.ts'
import { signTransaction } from './transaction.ts'

/** Sending on EVM chains: transactions of type 2 (EIP-1559), in the order of their nonces. */
export const evmSender: ChainSender = {
  plan: planSend,
  sequences: readSequences,
  sign: signTransaction,
  broadcast,
  outcome: readOutcome,
  bump: bumpSend,
}
