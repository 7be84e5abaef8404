/** Texts of alarms about hot wallets and their sends, and how these alarms end. */
import * as z from 'zod/mini'

import { dec, int } from '../kit/codecs.ts'
import { reason } from '../kit/reason.ts'

const text = z.string()

export const HOT_WALLET_ALARMS = {
  hot_spent_outside: reason({
    params: z.object({
      ...{ blockchainCode: text, address: text, amount: dec, currencyCode: text, to: text, txHash: text },
    }),
    text: ({ blockchainCode: code, address, amount, currencyCode, to, txHash }) =>
      `CRITICAL: Kassa did not send this: ${amount} ${currencyCode} went from the hot wallet ${address} to ${to} on ${code}, in ${txHash}. Somebody else has its key. Nothing is sent from it any more. If it was not you, move what is left to a new wallet at once. Otherwise let it send again: npm run unlock-wallet.`,
    ends: 'It ends when a person lets the wallet send again (npm run unlock-wallet), or when the network drops the transaction.',
  }),

  hot_wallet_locked: reason({
    params: z.union([
      z.object({
        /** `behind`: found before this process had sent anything, as after the restore of a backup. */
        case: z.enum(['used_elsewhere', 'behind']),
        ...{ walletID: int, blockchainCode: text, expected: dec, found: dec },
      }),
      /** An operator resumed reading below a final block in which one of its transactions had failed. */
      z.object({ case: z.literal('below_final'), walletID: int, blockchainCode: text, height: int }),
    ]),
    text: (params) => {
      const { blockchainCode: code, walletID } = params
      const unlock = `npm run unlock-wallet -- --wallet ${walletID} --chain ${code}`
      if (params.case === 'below_final') {
        return `Hot wallet ${walletID} sends nothing on ${code}: block ${params.height}, in which a transaction of it had failed for good, was dropped. It may still be mined. Look the wallet up in an explorer before you pay it again, then: ${unlock}`
      }
      const what = `the chain is at transaction ${params.found}, ${params.expected} was expected`
      return params.case === 'behind'
        ? `Hot wallet ${walletID} sends nothing on ${code}: ${what}. Either this database is older than the chain (a restored backup), or the key was used before. Compare the wallet with an explorer and cancel what was paid already, then: ${unlock}`
        : `Hot wallet ${walletID} sends nothing on ${code}: somebody else used its key (${what}). If that was not you, move its money to a new wallet at once. Otherwise: ${unlock}`
    },
    ends: 'It ends when a person lets the wallet send again: npm run unlock-wallet.',
  }),

  hot_wallet_low: reason({
    params: z.object({
      walletID: int,
      blockchainCode: text,
      currencyCode: text,
      address: text,
      needed: dec,
      held: dec,
    }),
    text: ({ walletID, blockchainCode, currencyCode, address, needed, held }) =>
      `Hot wallet ${walletID} holds ${held} ${currencyCode} on ${blockchainCode} and needs ${needed} for the next transaction and its network fee. What waits is sent once more has arrived at ${address}.`,
    ends: 'It ends with the next transaction that the wallet can pay for.',
  }),

  send_stuck: reason({
    params: z.object({ walletID: int, blockchainCode: text, txHash: text, minutes: int }),
    text: ({ walletID, blockchainCode, txHash, minutes }) =>
      `No block of ${blockchainCode} has taken ${txHash} of hot wallet ${walletID} for ${minutes} minutes, and its network fee has reached its ceiling. What follows it waits as well. Raise the ceiling, or wait until fees fall.`,
    ends: 'It ends when a block takes it.',
  }),

  refund_unfunded: reason({
    params: z.object({ ...{ blockchainCode: text, amount: dec, currencyCode: text, txHash: text }, payoutID: int }),
    text: ({ blockchainCode: code, amount, currencyCode, txHash, payoutID }) =>
      `${code} dropped the deposit in ${txHash}, of which payout ${payoutID} gives ${amount} ${currencyCode} back. Cancel the payout while it is not signed. If the deposit is mined again in another block, it is listed as new: it is not to be given back a second time.`,
  }),

  send_unbooked: reason({
    params: z.object({ walletID: int, blockchainCode: text, txHash: text }),
    text: ({ walletID, blockchainCode, txHash }) =>
      `A block of ${blockchainCode} holds ${txHash} of hot wallet ${walletID}, but the ledger has less in that wallet than it cost. Either money that reached the wallet is not final yet, or it was never booked: npm run check-books shows what is missing, npm run book-discrepancy books it.`,
    ends: 'It ends when the ledger has booked the transaction.',
  }),

  send_unproven: reason({
    params: z.object({
      /** `one_operator`: no other operator's node is switched on. `disagreement`: one is, but they do not say the same. */
      case: z.enum(['one_operator', 'disagreement']),
      ...{ walletID: int, blockchainCode: text, txHash: text, minutes: int },
    }),
    text: ({ case: why, walletID, blockchainCode: code, txHash, minutes }) => {
      const facts = `The transaction ${txHash} of hot wallet ${walletID} on ${code} expired more than ${minutes} minutes ago, and it is not proven that no block holds it. Its money stays reserved, so that nothing is paid twice.`
      return why === 'one_operator'
        ? `${facts} Such a proof needs nodes of two operators. Add the node of another operator under Blockchains.`
        : `${facts} The nodes of two operators have not answered the same about it. Check under Blockchains that both can be reached and have the newest blocks, or replace one of them.`
    },
    ends: 'It ends when nodes of two operators prove what became of the transaction.',
  }),
} as const
