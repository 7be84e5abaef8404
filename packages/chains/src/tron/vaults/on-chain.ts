import { CREATE2_PREFIX } from '@kassa/keys/evm/create2.ts'
import { kassaVault } from '@kassa/solidity/generated/kassa-vault.ts'
import type { Hex } from 'viem'
import type { Address, ChainSession } from '../../adapter.ts'
import { NodeRejected, RetryableRpcError } from '../../errors.ts'
import type { SentSweep, VaultCreation, VaultState } from '../../sweep-vaults.ts'
import { maskedVaultHash, vaultCode } from '../../vault-contract/code.ts'
import { creationsIn } from '../../vault-contract/creation.ts'
import { keccak } from '../../vault-contract/hex.ts'
import { readState, stateCalls } from '../../vault-contract/views.ts'
import { addressKey, addressText } from '../addresses/addresses.ts'
import { readTransactionFacts } from '../blocks/transaction.ts'
import { fromHex, toHex } from '../encoding/hex.ts'
import { object, readInfo, readTransaction, requireAnswer } from '../encoding/wire.ts'
import { ask, walletCall } from '../network/calls.ts'
import { estimateCall, prefixed } from '../state/constant-calls.ts'
import { abiAddress, addressOfAbi } from './calls.ts'
import { knownFactory } from './factories.ts'

/** Tells which vault of our factory a transaction created; see `SweepVaults.created`. */
export async function readCreation(session: ChainSession, txId: string): Promise<VaultCreation> {
  const facts = await readTransactionFacts(session, txId)
  if (facts.state !== 'included') return { state: facts.state }
  const info = readInfo(await ask(session, walletCall('gettransactioninfobyid', { value: txId })))
  if (info === null) return { state: 'pending' }
  const factory = knownFactory(session.chain)
  const logs = info.logs.map(({ address, topics, data }) => ({
    address: `0x${address}`,
    topics: topics.map((topic) => `0x${topic}`),
    data: `0x${data}`,
  }))
  const [event, ...more] = factory === null ? [] : creationsIn(logs, abiAddress(factory))
  if (!event) return { state: 'mismatch', reason: 'not-by-factory' }
  if (more.length > 0) return { state: 'mismatch', reason: 'several' }
  const [vault, creator] = [addressOfAbi(event.vault), addressOfAbi(event.owner)]
  if (!(await readIsOurs(session, vault))) return { state: 'mismatch', reason: 'code' }
  const now = await readVaultState(session, vault)
  return { state: 'created', height: facts.block.height, vault, salt: event.salt, creator, now }
}

/** Compares the code at an address with the code that our factory creates there; see `SweepVaults.isOurs`. */
export async function readIsOurs(session: ChainSession, address: Address): Promise<boolean> {
  const factory = knownFactory(session.chain)
  if (factory === null) return false
  return (await codeAt(session, address)) === vaultCode(addressKey(factory), addressKey(address), CREATE2_PREFIX.tvm)
}

/** Reads who owns a vault and where its money goes; see `SweepVaults.state`. */
export async function readVaultState(session: ChainSession, vault: Address): Promise<VaultState> {
  const to = addressKey(vault)
  const answers = await Promise.all(
    stateCalls().map((data) => estimateCall(session, { from: to, to, units: 0n, data: fromHex(data.slice(2)) })),
  )
  const returned = answers.map((answer): Hex => {
    if ('failure' in answer) throw new NodeRejected(`There is no vault at ${vault}: ${answer.failure}`)
    return `0x${answer.returned}`
  })
  if (returned.includes('0x')) throw new NodeRejected(`There is no vault at ${vault}`)
  return readState(returned, addressOfAbi)
}

/** Hashes the code at an address, with the vault's own values left out; see `SweepVaults.codeHash`. */
export async function readCodeHash(session: ChainSession, address: Address): Promise<string | null> {
  const code = await codeAt(session, address)
  if (code === '0x') return null
  const isAsLong = code.length === kassaVault.runtime.length
  return isAsLong ? maskedVaultHash(code) : `0x${toHex(keccak(fromHex(code.slice(2))))}`
}

/** Reads a transaction with the call it makes; see `SweepVaults.sent`. */
export async function readSent(session: ChainSession, txId: string): Promise<SentSweep> {
  const facts = await readTransactionFacts(session, txId)
  if (facts.state === 'unknown') return { state: 'unknown' }
  const { raw } = readTransaction(await ask(session, walletCall('gettransactionbyid', { value: txId })))
  const { message } = raw
  if (message.kind === 'other') return { state: 'unknown' }
  const call = {
    from: addressText(message.from),
    sequence: null,
    to: addressText(message.to),
    value: message.units,
    data: message.kind === 'call' ? `0x${toHex(message.data)}` : '0x',
  }
  if (facts.state !== 'included' && facts.state !== 'failed') {
    return { state: facts.state === 'expired' ? 'dropped' : 'pending', ...call }
  }
  const { height, hash: blockHash } = facts.block
  return { state: 'included', isSuccess: facts.state === 'included', height, blockHash, ...call }
}

/** The code at an address (`getcontractinfo`), in hex with `0x`; no code is `0x`. */
async function codeAt(session: ChainSession, address: Address): Promise<string> {
  const value = prefixed(addressKey(address))
  const answer = object(await ask(session, walletCall('getcontractinfo', { value })), 'contract info')
  requireAnswer(answer)
  const { runtimecode: code = '' } = answer
  if (typeof code === 'string' && /^(?:[0-9a-f]{2})*$/i.test(code)) return `0x${code.toLowerCase()}`
  throw new RetryableRpcError('malformed', "The node's answer has a malformed runtimecode")
}
