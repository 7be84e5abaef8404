/** What every alarm says, and how it ends (money.md 2.10, 4.6). A subject has at most one open alarm of each kind. */
import * as z from 'zod/mini'

import { AUDIT_FAULTS, type AuditFault } from '../audit/faults.ts'
import { Halt, haltText } from '../blockchains/halts.ts'
import { dec, int } from '../kit/codecs.ts'
import { type Catalogue, type ParamsOf, reason } from '../kit/reason.ts'
import { HOT_WALLET_ALARMS } from './hot-wallet-alarms.ts'
import { WALLET_ALARMS } from './wallet-alarms.ts'
import type { AlarmKind } from './schemas.ts'

const text = z.string()

/** How a node contradicts a deposit. */
export const Contradiction = z.union([
  z.object({ case: z.literal('other_block'), hash: text }),
  z.object({ case: z.literal('no_transfer') }),
  z.object({ case: z.literal('no_rise') }),
])

export type Contradiction = z.output<typeof Contradiction>

/** Returns how a node contradicts a deposit, as a sentence. */
export function contradictionText(contradiction: Contradiction): string {
  switch (contradiction.case) {
    case 'other_block':
      return `It has block ${contradiction.hash} at this height.`
    case 'no_transfer':
      return 'It has the same block without this transfer.'
    case 'no_rise':
      return 'It has no traces, and the balance of the address did not rise by as much.'
  }
}

/** How a contract differs from the asset that Kassa lists. */
export const ContractChange = z.union([
  z.object({ case: z.literal('no_contract'), address: text }),
  z.object({ case: z.literal('no_decimals'), address: text }),
  z.object({ case: z.literal('other_decimals'), address: text, decimals: int, listed: int }),
])

export type ContractChange = z.output<typeof ContractChange>

/** Returns how a contract differs, as a sentence. */
export function contractChangeText(change: ContractChange): string {
  switch (change.case) {
    case 'no_contract':
      return `There is no contract at ${change.address} any more.`
    case 'no_decimals':
      return `The contract at ${change.address} does not state its decimals any more.`
    case 'other_decimals':
      return `The contract at ${change.address} has ${change.decimals} decimals, not ${change.listed}.`
  }
}

/** Returns what is wrong with an entry of the activity log. */
export function faultText(fault: AuditFault): string {
  switch (fault) {
    case 'changed':
      return 'is not as it was written.'
    case 'removed':
      return 'is missing.'
    case 'added':
      return 'was added later.'
  }
}

export const ALARMS = {
  ...WALLET_ALARMS,

  chain_behind: reason({
    /** Without `lagBlocks`, no process reads it. */
    params: z.object({ blockchainCode: text, lagBlocks: z.nullable(int), minutes: int }),
    text: ({ blockchainCode: code, lagBlocks, minutes }) =>
      lagBlocks === null
        ? `${code}: No process has read it for ${minutes} minutes. Check that a process with the role watcher runs and that its nodes answer.`
        : `${code}: The reader is ${lagBlocks} blocks behind for ${minutes} minutes. Payers wait: try a faster node.`,
    ends: 'It ends when the reader has caught up.',
  }),

  chain_silent: reason({
    params: z.object({ blockchainCode: text, minutes: int, height: int }),
    text: ({ blockchainCode: code, minutes, height }) =>
      `${code}: No node has shown a new block for ${minutes} minutes. Compare ${height} with an explorer.`,
    ends: 'It ends with the next block.',
  }),

  chain_halted: reason({
    params: z.object({ blockchainCode: text, height: int, halt: Halt }),
    text: ({ blockchainCode: code, height, halt }) =>
      `Reading ${code} stopped at block ${height}: ${haltText(halt)} Nothing was changed. Compare the nodes, then resume it: npm run resume-chain -- --chain ${code}, with --to and the newest block that both have when ours is the wrong one.`,
    ends: 'It ends when reading goes on: npm run resume-chain.',
  }),

  block_quarantined: reason({
    /** `error` is what could not be decoded; `missing` transactions of the block could not be read at all. */
    params: z.object({ blockchainCode: text, height: int, error: text, missing: int, concernsUs: z.boolean() }),
    text: ({ blockchainCode: code, height, error, missing, concernsUs }) => {
      const what =
        missing === 0 ? 'It was read transaction by transaction' : `${missing} of its transactions are missing`
      const whose = concernsUs ? ' At least one of them names an address of yours.' : ''
      return `Block ${height} of ${code} could not be read: ${error} ${what}.${whose} Kassa retries it until it can be read; try another node or a newer version of Kassa.`
    },
    ends: 'It ends when every block of this network could be read. Add another node, or a newer version of Kassa.',
  }),

  node_forked: reason({
    params: z.union([
      /** The node replaced a block that it had called final. */
      z.object({ case: z.literal('replaced_final'), node: text, height: int }),
      z.object({
        case: z.literal('outvoted'),
        ...{ blockchainCode: text, node: text, height: int, hash: text, majorityHash: text },
      }),
      z.object({
        case: z.literal('no_majority'),
        ...{ blockchainCode: text, height: int, answers: z.array(z.object({ node: text, hash: text })) },
      }),
    ]),
    text: (params) => {
      switch (params.case) {
        case 'replaced_final':
          return `${params.node} has another block ${params.height}, which is final. It is not used until Kassa starts again: compare it with an explorer, then remove or repair it.`
        case 'outvoted':
          return `${params.node} (${params.blockchainCode}) is not used any more. ${outvotedText(params)} Find out why, then turn it on again or remove it.`
        case 'no_majority': {
          const answers = params.answers.map(({ node, hash }) => `${node} reports ${hash}`).join(', ')
          return `The nodes of ${params.blockchainCode} disagree about block ${params.height}, which is final: ${answers}. Compare with a public explorer and turn off the one that is wrong; a third node would give a majority.`
        }
      }
    },
    ends: 'It ends when the nodes agree, or when the node is turned on again or removed.',
  }),

  node_disagreement: reason({
    params: z.union([
      z.object({
        case: z.literal('deposit'),
        ...{ blockchainCode: text, txHash: text, leg: text, height: int, node: text, contradiction: Contradiction },
      }),
      /** Two nodes state other balances of an address, in the smallest units of the native currency. */
      z.object({
        case: z.literal('balance'),
        ...{ blockchainCode: text, address: text, node: text, units: dec, otherNode: text, otherUnits: dec },
      }),
    ]),
    text: (params) =>
      params.case === 'deposit'
        ? `The nodes of ${params.blockchainCode} disagree about ${params.txHash} (${params.leg}) in block ${params.height}. ${params.node}: ${contradictionText(params.contradiction)} The deposit is on hold. Look it up in an explorer before you release it.`
        : `Two nodes of ${params.blockchainCode} disagree about what ${params.address} holds: ${params.node} says ${params.units} units, ${params.otherNode} ${params.otherUnits}. Nothing is credited. Look the address up in an explorer.`,
  }),

  watch_missed: reason({
    params: z.union([
      z.object({
        case: z.literal('deposits'),
        /** Found by the nightly audit, or by a rescan that was requested for `rescan`. */
        ...{ blockchainCode: text, count: int, from: int, to: int, node: text, rescan: z.nullable(text) },
      }),
      z.object({ case: z.literal('no_traces'), blockchainCode: text, from: int, to: int }),
    ]),
    text: (params) => {
      const { blockchainCode: code, from, to } = params
      if (params.case === 'no_traces') {
        return `Blocks ${from}–${to} of ${code} were read so late that the node has no traces of them: money that contracts forwarded in them may be missing. Add a node with history, then: npm run rescan -- --chain ${code} --from ${from} --to ${to}`
      }
      const where = from === to ? `block ${from}` : `blocks ${from}–${to}`
      const who = params.rescan === null ? 'the nightly audit' : `a rescan (${params.rescan})`
      return `${params.count} deposit(s) in ${where} of ${code} were missed when they were mined, and found by ${who} with ${params.node}. They are credited. Compare the nodes of ${code}; one of them leaves things out.`
    },
  }),

  asset_changed: reason({
    params: z.union([
      z.object({
        case: z.literal('short_transfer'),
        ...{ currencyCode: text, blockchainCode: text, txHash: text },
      }),
      z.object({
        case: z.literal('switched_off'),
        ...{ currencyCode: text, blockchainCode: text, change: ContractChange },
      }),
    ]),
    text: (params) => {
      const asset = `${params.currencyCode} on ${params.blockchainCode}`
      return params.case === 'short_transfer'
        ? `${asset} moved less than its own log states, in ${params.txHash}. The deposit is on hold. Find out whether the token takes a fee now; until then switch its deposits off.`
        : `Deposits of ${asset} were switched off. ${contractChangeText(params.change)} Find out why. New payments do not offer it until you switch it on.`
    },
  }),

  ...HOT_WALLET_ALARMS,

  ledger_imbalance: reason({
    params: z.union([
      /** The ledger breaks an invariant; `rule` is the invariant as a sentence. */
      z.object({ case: z.literal('invariant'), rule: text }),
      z.object({
        case: z.literal('chain_total'),
        ...{ blockchainCode: text, currencyCode: text, height: int, chain: dec, ledger: dec },
      }),
      /** The ledger and the chains differ, and no single asset says where. */
      z.object({ case: z.literal('sides') }),
      z.object({
        case: z.literal('missing'),
        ...{ amount: dec, currencyCode: text, blockchainCode: text, address: text, height: int },
      }),
      /** The owner's key moved a deposit, in a transaction that we know. */
      z.object({
        case: z.literal('drawn'),
        ...{ amount: dec, currencyCode: text, blockchainCode: text, address: text, height: int, txHash: text },
      }),
      z.object({
        case: z.literal('surplus'),
        ...{ amount: dec, currencyCode: text, blockchainCode: text, address: text, height: int },
      }),
    ]),
    text: (params) => {
      const check = 'Run npm run check-books to see where.'
      switch (params.case) {
        case 'invariant':
          return `The ledger does not balance: ${params.rule} ${check}`
        case 'chain_total':
          return `The ledger does not balance: ${params.chain} ${params.currencyCode} on ${params.blockchainCode} at block ${params.height}, and ${params.ledger} in the ledger. ${check}`
        case 'sides':
          return `The ledger does not balance: the chain holds other amounts than the ledger. ${check}`
        case 'missing':
          return `CRITICAL: ${discrepancyText(params)}: the address holds this much less than the ledger. The money left without Kassa: somebody else may hold the key. Stop taking payments with this wallet, and find the transaction in an explorer.`
        case 'drawn':
          return `CRITICAL: ${discrepancyText(params)}: it left in ${params.txHash}, which Kassa did not send: it was signed with the key of your deposit wallet. If that was not you, stop taking payments with this wallet. Otherwise book it: npm run book-discrepancy -- --chain ${params.blockchainCode} --address ${params.address} --asset ${params.currencyCode} --amount ${params.amount} --note "…"`
        case 'surplus':
          return `${discrepancyText(params)}: the address holds this much more than the ledger, and no transaction of it was found. It may be a block reward, or money that arrived before Kassa followed the chain. Find out, then book it: npm run book-discrepancy -- --chain ${params.blockchainCode} --address ${params.address} --asset ${params.currencyCode} --amount ${params.amount} --note "…"`
      }
    },
    ends: 'It ends with the first check in which the ledger agrees with itself and with the chains.',
  }),

  secrets_unreadable: reason({
    params: z.union([
      /** No secret opens: they were sealed with another master key. */
      z.object({ case: z.literal('all'), vaultName: text }),
      /** `names` are those of some of them. */
      z.object({ case: z.literal('rows'), vaultName: text, count: int, names: z.array(text) }),
    ]),
    text: (params) =>
      params.case === 'all'
        ? `No secret of the vault ${params.vaultName} can be opened: the master key of this server is another one than they were sealed with. Start it with the master key that belongs to this database.`
        : `${params.count} secret(s) of the vault ${params.vaultName} cannot be opened: their rows were changed or exchanged in the database, without Kassa. What uses them fails, everything else goes on: ${params.names.join(', ')}. Enter them again, or restore a backup, and change the passwords of the database.`,
    ends: 'It ends when every secret of the vault can be opened: enter those that were changed again, or restore a backup.',
  }),

  sweep_failed: reason({
    params: z.object({ sweepID: int, walletID: int, blockchainCode: text, currencyCode: text }),
    text: ({ sweepID, walletID, blockchainCode, currencyCode }) =>
      `Sweep ${sweepID} of ${currencyCode} on ${blockchainCode}, wallet ${walletID}, failed or left addresses out. What did not move is where it was, and is swept again by itself. Funds Consolidation names each address with its reason.`,
    ends: 'It ends with the next sweep of this wallet and asset that arrives whole.',
  }),

  price_missing: reason({
    /** Why a source does not count: its own error, or Kassa's reason; null when it counts but is the only one. */
    params: z.object({
      currencyCode: text,
      sources: z.array(z.object({ name: text, why: z.nullable(text) })),
    }),
    text: ({ currencyCode: code, sources }) => {
      const reports = sources.map(({ name, why }) => `${name}: ${why ?? 'alone'}`).join('; ')
      return `There is no trustworthy price for ${code}, so no new payments in it. At least two sources must agree. ${reports === '' ? 'No source has answered.' : `${reports}.`} Check that this server reaches the internet and that its clock is correct.`
    },
    ends: 'It ends with the first trustworthy price.',
  }),

  peg_lost: reason({
    params: z.object({ currencyCode: text, priceInUSD: z.nullable(dec) }),
    text: ({ currencyCode: code, priceInUSD }) =>
      `${code} is more than 2 % away from one dollar${priceInUSD === null ? '' : ` ($${priceInUSD})`}. New payments in it are paused until it returns to its peg; rates already locked stay valid. Decide whether to keep accepting it.`,
    ends: 'It ends when the coin is at its peg again.',
  }),

  endpoint_failing: reason({
    params: z.object({ endpoint: text, projectName: text, minutes: int }),
    text: ({ endpoint, projectName, minutes }) =>
      `${endpoint} of ${projectName} has accepted nothing for ${minutes} minutes or longer: the shop is not notified. Correct the receiver. What waits is tried again for days, and can be sent again at once.`,
    ends: 'It ends when the endpoint accepts a delivery, or is changed.',
  }),

  endpoint_gone: reason({
    params: z.object({ endpoint: text }),
    text: ({ endpoint }) =>
      `${endpoint} returned 410 Gone and was disabled. Enable it again, or delete it, once the reason is known.`,
  }),

  mail_failing: reason({
    /** The answer of the mail server or the connection; null when it did not accept user name and password. */
    params: z.object({ host: text, error: z.nullable(text) }),
    text: ({ host, error }) =>
      `${host} takes no mails of ours: ${error ?? 'The mail server did not accept user name and password.'} See Settings, E-mail.`,
    ends: 'It ends with the first mail that the mail server takes, or when the mail server is removed.',
  }),

  activity_log_broken: reason({
    params: z.object({ case: z.enum(AUDIT_FAULTS), entry: int }),
    text: ({ case: fault, entry }) =>
      `Entry ${entry} of the activity log ${faultText(fault)} Somebody wrote to the database without Kassa: find out who can, and compare the log with an earlier export: npm run verify-log.`,
    ends: 'It ends when every entry is as it was sealed.',
  }),

  passkey_copied: reason({
    params: z.object({ memberID: int, passkey: text }),
    text: ({ memberID, passkey }) =>
      `The passkey ${passkey} of member ${memberID} was used with a counter that had been used before, and was refused: somebody may have a copy of it. Ask the member to remove it and to look at the signed-in devices.`,
    ends: 'It ends when the passkey is removed.',
  }),
} as const satisfies Record<AlarmKind, Catalogue[string]>

export type AlarmParams<Kind extends AlarmKind> = ParamsOf<(typeof ALARMS)[Kind]>

/** Returns why a node that most others contradict is no longer used, as a sentence. */
export function outvotedText({ height, hash, majorityHash }: { height: number; hash: string; majorityHash: string }) {
  return `It serves another branch: block ${height} is ${hash} there, ${majorityHash} everywhere else.`
}

type Difference = { amount: string; currencyCode: string; blockchainCode: string; address: string; height: number }

function discrepancyText({ amount, currencyCode, blockchainCode, address, height }: Difference): string {
  return `${amount} ${currencyCode} on ${blockchainCode}, address ${address}, block ${height}`
}
