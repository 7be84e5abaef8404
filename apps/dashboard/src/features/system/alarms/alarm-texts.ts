/** What each alarm says on screen. It is loaded with the first alarm: until then the server's English stands. */
import { ALARMS, type ContractChange, type Contradiction } from '@kassa/contract/alarms/catalogue.ts'
import type { Alarm } from '@kassa/contract/alarms/schemas.ts'
import { plural, t } from '@lingui/core/macro'

import { haltText } from '../../../labels/networks/halt-text.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { reasonText, type Words } from '../../../labels/reason-text.ts'
import { listText } from '../../../lib/text/list-text.ts'

/** Returns what is wrong and what to do next. */
export function alarmText({ kind, params, text }: Pick<Alarm, 'kind' | 'params' | 'text'>): string {
  return reasonText(ALARMS, ALARM_TEXTS, { code: kind, params, text })
}

const ALARM_TEXTS: Words<typeof ALARMS> = {
  chain_behind: ({ blockchainCode, lagBlocks, minutes }) => {
    const network = networkName(blockchainCode)
    const time = minutesText(minutes)
    if (lagBlocks === null) {
      return t`No process has read ${network} for ${time}. Check that a process with the role watcher runs and that its nodes answer.`
    }
    const blocks = plural(lagBlocks, { one: '# block', other: '# blocks' })
    return t`The reader of ${network} has been ${blocks} behind for ${time}. Payers wait: try a faster node.`
  },

  chain_silent: ({ blockchainCode, minutes, height }) => {
    const network = networkName(blockchainCode)
    const time = minutesText(minutes)
    return t`No node of ${network} has shown a new block for ${time}. Compare ${height} with an explorer.`
  },

  chain_halted: ({ blockchainCode: code, height, halt }) => {
    const network = networkName(code)
    const why = haltText(halt)
    const command = `npm run resume-chain -- --chain ${code}`
    return t`Reading ${network} stopped at block ${height}: ${why} Nothing was changed. Compare the nodes, then resume it: ${command}, with --to and the newest block that both have when ours is the wrong one.`
  },

  block_quarantined: ({ blockchainCode, height, error, missing, concernsUs }) => {
    const network = networkName(blockchainCode)
    const what =
      missing === 0
        ? t`It was read transaction by transaction.`
        : plural(missing, { one: '# of its transactions is missing.', other: '# of its transactions are missing.' })
    const whose = concernsUs ? t`At least one of them names an address of yours.` : ''
    const facts = [error, what, whose].filter((fact) => fact !== '').join(' ')
    return t`Block ${height} of ${network} could not be read: ${facts} Kassa retries it until it can be read; try another node or a newer version of Kassa.`
  },

  node_forked: (params) => {
    const { height } = params
    if (params.case === 'replaced_final') {
      const { node } = params
      return t`${node} has another block ${height}, which is final. It is not used until Kassa starts again: compare it with an explorer, then remove or repair it.`
    }
    const network = networkName(params.blockchainCode)
    if (params.case === 'outvoted') {
      const { node, hash, majorityHash } = params
      return t`${node} of ${network} is not used any more. It serves another branch: block ${height} is ${hash} there, ${majorityHash} everywhere else. Find out why, then turn it on again or remove it.`
    }
    const answers = listText(
      params.answers.map(({ node, hash }) => t`${node} reports ${hash}`),
      'conjunction',
    )
    return t`The nodes of ${network} disagree about block ${height}, which is final: ${answers}. Compare with a public explorer and turn off the one that is wrong; a third node would give a majority.`
  },

  node_disagreement: (params) => {
    const network = networkName(params.blockchainCode)
    if (params.case === 'deposit') {
      const { txHash, height, node } = params
      const why = contradictionText(params.contradiction)
      return t`The nodes of ${network} disagree about ${txHash} in block ${height}. ${node}: ${why} The deposit is on hold. Look it up in an explorer before you release it.`
    }
    const { address, node, units, otherNode, otherUnits } = params
    return t`Two nodes of ${network} disagree about what ${address} holds: ${node} says ${units} units, ${otherNode} ${otherUnits}. Nothing is credited. Look the address up in an explorer.`
  },

  watch_missed: (params) => {
    const { blockchainCode: code, from, to } = params
    const network = networkName(code)
    if (params.case === 'no_traces') {
      const command = `npm run rescan -- --chain ${code} --from ${from} --to ${to}`
      return t`Blocks ${from}–${to} of ${network} were read so late that the node has no traces of them: money that contracts forwarded in them may be missing. Add a node with history, then: ${command}`
    }
    const { count, node, rescan } = params
    const deposits = plural(count, { one: '# deposit', other: '# deposits' })
    const blocks = from === to ? t`block ${from}` : t`blocks ${from}–${to}`
    const who = rescan === null ? t`the nightly audit` : t`a rescan (${rescan})`
    return t`${deposits} in ${blocks} of ${network} did not show when mined: ${who} found them with ${node}. They are credited. Compare the nodes of ${network}; one of them leaves things out.`
  },

  asset_changed: (params) => {
    const { currencyCode } = params
    const network = networkName(params.blockchainCode)
    if (params.case === 'short_transfer') {
      const { txHash } = params
      return t`${currencyCode} on ${network} moved less than its own log states, in ${txHash}. The deposit is on hold. Find out whether the token takes a fee now; until then switch its deposits off.`
    }
    const why = contractChangeText(params.change)
    return t`Deposits of ${currencyCode} on ${network} were switched off. ${why} Find out why. New payments do not offer it until you switch it on.`
  },

  hot_spent_outside: ({ blockchainCode, address, amount, currencyCode, to, txHash }) => {
    const network = networkName(blockchainCode)
    const command = 'npm run unlock-wallet'
    return t`CRITICAL: Kassa did not send this: ${amount} ${currencyCode} went from the hot wallet ${address} to ${to} on ${network}, in ${txHash}. Somebody else has its key. Nothing is sent from it any more. If it was not you, move what is left to a new wallet at once. Otherwise let it send again: ${command}`
  },

  ledger_imbalance: (params) => {
    const command = 'npm run check-books'
    if (params.case === 'invariant') {
      const { rule } = params
      return t`The ledger does not balance: ${rule} Run ${command} to see where.`
    }
    if (params.case === 'sides') {
      return t`The ledger does not balance: the chain holds other amounts than the ledger. Run ${command} to see where.`
    }
    const { currencyCode, height } = params
    const network = networkName(params.blockchainCode)
    if (params.case === 'chain_total') {
      const { chain, ledger } = params
      return t`The ledger does not balance: ${chain} ${currencyCode} on ${network} at block ${height}, and ${ledger} in the ledger. Run ${command} to see where.`
    }
    const { amount, address, blockchainCode: code } = params
    const what = t`${amount} ${currencyCode} on ${network}, address ${address}, block ${height}`
    if (params.case === 'missing') {
      return t`CRITICAL: ${what}: the address holds this much less than the ledger. The money left without Kassa: somebody else may hold the key. Stop taking payments with this wallet, and find the transaction in an explorer.`
    }
    const book = `npm run book-discrepancy -- --chain ${code} --address ${address} --asset ${currencyCode} --amount ${amount} --note "…"`
    if (params.case === 'drawn') {
      const { txHash } = params
      return t`CRITICAL: ${what}: it left in ${txHash}, which Kassa did not send: it was signed with the key of your deposit wallet. If that was not you, stop taking payments with this wallet. Otherwise book it: ${book}`
    }
    return t`${what}: the address holds this much more than the ledger, and no transaction of it was found. It may be a block reward, or money that arrived before Kassa followed the chain. Find out, then book it: ${book}`
  },

  address_forged: (params) => {
    if (params.what === 'contract') {
      const { blockchainCode, contract } = params
      const network = networkName(blockchainCode)
      return t`The sweep contract on ${network} that the database has at ${contract} is not the one that was registered: somebody changed it in the database, without Kassa. Nothing is approved or swept through it any more. Restore a backup, and change the passwords of the database.`
    }
    const { walletID, what } = params
    const next = t`Somebody changed it in the database, without Kassa. No such address is shown any more. Compare the first addresses of the wallet with your own, restore a backup, and change the passwords of the database.`
    if (what === 'address')
      return t`A deposit address in the database does not belong to its wallet ${walletID}. ${next}`
    if (what === 'vault')
      return t`The sweep contract (vault) of deposit wallet ${walletID} is not the one that was added to Kassa. ${next}`
    return t`The public key (xpub) of deposit wallet ${walletID} is not the one that was added to Kassa. ${next}`
  },

  addresses_low: ({ walletID, left }) =>
    t`The address list of deposit wallet ${walletID} has ${left} addresses left. Make more with the signer and add them to the wallet. Once it is empty, its networks are not offered to new customers.`,

  collector_change_pending: (params) => {
    const { contract, blockchainCode } = params
    const network = networkName(blockchainCode)
    if (params.case === 'collector_changed') {
      const { expected, found } = params
      return t`The sweep contract ${contract} on ${network} sends money to ${found}; you confirmed ${expected}. Nothing is swept until a person confirms the new address under Deposit wallets.`
    }
    const { proposed, by, current, readyAt } = params
    const next = t`If none of you did this, refuse it before then, with the wallet of the owner or the collector: Deposit wallets › Change.`
    if (params.case === 'owner')
      return t`${by} proposed ${proposed} as the owner of the sweep contract ${contract} on ${network}, in place of ${current}; it can take over from ${readyAt} on. ${next}`
    return t`${by} proposed ${proposed} as the address that the sweep contract ${contract} on ${network} sends money to, in place of ${current}; it can take over from ${readyAt} on. Sweeping to the present address goes on. ${next}`
  },

  secrets_unreadable: (params) => {
    const { vaultName } = params
    if (params.case === 'all')
      return t`No secret of the vault ${vaultName} can be opened: the master key of this server is another one than they were sealed with. Start it with the master key that belongs to this database.`
    const list = params.names.join(', ')
    return plural(params.count, {
      one: `# secret of the vault ${vaultName} cannot be opened: its row was changed or exchanged in the database, without Kassa. What uses it fails, everything else goes on: ${list}. Enter it again, or restore a backup, and change the passwords of the database.`,
      other: `# secrets of the vault ${vaultName} cannot be opened: their rows were changed or exchanged in the database, without Kassa. What uses them fails, everything else goes on: ${list}. Enter them again, or restore a backup, and change the passwords of the database.`,
    })
  },

  hot_wallet_locked: (params) => {
    const { blockchainCode: code, walletID } = params
    const network = networkName(code)
    const command = `npm run unlock-wallet -- --wallet ${walletID} --chain ${code}`
    if (params.case === 'below_final') {
      const { height } = params
      return t`Hot wallet ${walletID} sends nothing on ${network}: block ${height}, in which a transaction of it had failed for good, was dropped. It may still be mined. Look the wallet up in an explorer before you pay it again, then: ${command}`
    }
    const { expected, found } = params
    const what = t`the network is at transaction ${found}, ${expected} was expected`
    if (params.case === 'behind')
      return t`Hot wallet ${walletID} sends nothing on ${network}: ${what}. Either this database is older than the network (a restored backup), or the key was used before. Compare the wallet with an explorer and cancel what was paid already, then: ${command}`
    return t`Hot wallet ${walletID} sends nothing on ${network}: somebody else used its key (${what}). If that was not you, move its money to a new wallet at once. Otherwise: ${command}`
  },

  hot_wallet_low: ({ walletID, blockchainCode, currencyCode, address, needed, held }) => {
    const network = networkName(blockchainCode)
    return t`Hot wallet ${walletID} holds ${held} ${currencyCode} on ${network} and needs ${needed} for the next transaction and its network fee. What waits is sent once more has arrived at ${address}.`
  },

  send_stuck: ({ walletID, blockchainCode, txHash, minutes }) => {
    const network = networkName(blockchainCode)
    const time = minutesText(minutes)
    return t`No block of ${network} has taken ${txHash} of hot wallet ${walletID} for ${time}, and its network fee has reached its ceiling. What follows it waits as well. Raise the ceiling, or wait until fees fall.`
  },

  refund_unfunded: ({ blockchainCode, amount, currencyCode, txHash, payoutID }) => {
    const network = networkName(blockchainCode)
    return t`${network} dropped the deposit in ${txHash}, of which payout ${payoutID} gives ${amount} ${currencyCode} back. Cancel the payout while it is not signed. If the deposit is mined again in another block, it is listed as new: it is not to be given back a second time.`
  },

  send_unbooked: ({ walletID, blockchainCode, txHash }) => {
    const network = networkName(blockchainCode)
    const [check, book] = ['npm run check-books', 'npm run book-discrepancy']
    return t`A block of ${network} holds ${txHash} of hot wallet ${walletID}, but the ledger has less in that wallet than it cost. Either money that reached the wallet is not final yet, or it was never booked: ${check} shows what is missing, ${book} books it.`
  },

  send_unproven: ({ case: why, walletID, blockchainCode, txHash, minutes }) => {
    const network = networkName(blockchainCode)
    const time = minutesText(minutes)
    if (why === 'one_operator')
      return t`The transaction ${txHash} of hot wallet ${walletID} on ${network} expired more than ${time} ago, and it is not proven that no block holds it. Its money stays reserved, so that nothing is paid twice. Such a proof needs nodes of two operators. Add the node of another operator under Blockchains.`
    return t`The transaction ${txHash} of hot wallet ${walletID} on ${network} expired more than ${time} ago, and it is not proven that no block holds it. Its money stays reserved, so that nothing is paid twice. The nodes of two operators have not answered the same about it. Check under Blockchains that both can be reached and have the newest blocks, or replace one of them.`
  },

  permission_unproven: ({ case: why, blockchainCode, count, minutes }) => {
    const network = networkName(blockchainCode)
    const time = minutesText(minutes)
    if (why === 'one_operator')
      return t`${count} of the transactions that deposit addresses signed on ${network} expired more than ${time} ago, and it is not proven that no block holds them. Such addresses are neither swept nor asked again until it is. The proof needs nodes of two operators. Add the node of another operator under Blockchains.`
    return t`${count} of the transactions that deposit addresses signed on ${network} expired more than ${time} ago, and it is not proven that no block holds them. Such addresses are neither swept nor asked again until it is. The nodes of two operators have not answered the same about them. Check under Blockchains that both can be reached and have the newest blocks, or replace one of them.`
  },

  delegations_low: ({ walletID, blockchainCode, left, signed }) => {
    const network = networkName(blockchainCode)
    return t`Of ${signed} addresses of wallet ${walletID} for which delegations on ${network} were signed ahead, ${left} are left. Customers who come after them pay to addresses that cannot be swept until the signer has signed for more.`
  },

  sweep_failed: ({ sweepID, walletID, blockchainCode, currencyCode }) => {
    const network = networkName(blockchainCode)
    return t`Sweep ${sweepID} of ${currencyCode} on ${network}, wallet ${walletID}, failed or left addresses out. What did not move is where it was, and is swept again by itself. Funds Consolidation names each address with its reason.`
  },

  price_missing: ({ currencyCode, sources }) => {
    const alone = t`alone`
    const reports = sources.map(({ name, why }) => `${name}: ${why ?? alone}`).join('; ')
    const facts = reports === '' ? t`No source has answered.` : `${reports}.`
    return t`There is no trustworthy price for ${currencyCode}, so no new payments in it. At least two sources must agree. ${facts} Check that this server reaches the internet and that its clock is correct.`
  },

  peg_lost: ({ currencyCode, priceInUSD }) => {
    const price = priceInUSD === null ? '' : ` ($${priceInUSD})`
    return t`${currencyCode} is more than 2 % away from one dollar${price}. New payments in it are paused until it returns to its peg; rates already locked stay valid. Decide whether to keep accepting it.`
  },

  endpoint_failing: ({ endpoint, projectName, minutes }) => {
    const time = minutesText(minutes)
    return t`${endpoint} of ${projectName} has accepted nothing for ${time} or longer: the shop is not notified. Correct the receiver. What waits is tried again for days, and can be sent again at once.`
  },

  endpoint_gone: ({ endpoint }) =>
    t`${endpoint} returned 410 Gone and was disabled. Enable it again, or delete it, once the reason is known.`,

  mail_failing: ({ host, error }) => {
    const why = error ?? t`The mail server did not accept user name and password.`
    return t`${host} takes no mails of ours: ${why} See Settings, E-mail.`
  },

  activity_log_broken: ({ case: fault, entry }) => {
    const what = {
      changed: t`Entry ${entry} of the audit log is not as it was written.`,
      removed: t`Entry ${entry} of the audit log is missing.`,
      added: t`Entry ${entry} of the audit log was added later.`,
    }[fault]
    return t`${what} Somebody wrote to the database without Kassa: find out who can, and compare the log with an earlier export: npm run verify-log.`
  },

  passkey_copied: ({ memberID, passkey }) =>
    t`The passkey ${passkey} of member ${memberID} was used with a counter that had been used before, and was refused: somebody may have a copy of it. Ask the member to remove it and to look at the signed-in devices.`,
}

function minutesText(minutes: number): string {
  return plural(minutes, { one: '# minute', other: '# minutes' })
}

function contradictionText(contradiction: Contradiction): string {
  switch (contradiction.case) {
    case 'other_block': {
      const { hash } = contradiction
      return t`It has block ${hash} at this height.`
    }
    case 'no_transfer':
      return t`It has the same block without this transfer.`
    case 'no_rise':
      return t`It has no traces, and the balance of the address did not rise by as much.`
  }
}

function contractChangeText(change: ContractChange): string {
  const { address } = change
  switch (change.case) {
    case 'no_contract':
      return t`There is no contract at ${address} any more.`
    case 'no_decimals':
      return t`The contract at ${address} does not state its decimals any more.`
    case 'other_decimals': {
      const { decimals, listed } = change
      return t`The contract at ${address} has ${decimals} decimals, not ${listed}.`
    }
  }
}
