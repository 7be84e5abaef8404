import { kassaFactory } from '@kassa/solidity/generated/kassa-factory.ts'
import { kassaVault } from '@kassa/solidity/generated/kassa-vault.ts'
import { checksumAddress } from '@kassa/keys/address-text.ts'
import type { Abi, Hex } from 'viem'
import { decodeFunctionResult, encodeEventTopics, encodeFunctionData, parseEventLogs } from 'viem/utils'
import type { Address, ChainSession } from '../../adapter.ts'
import type { SentSweep, VaultCreation, VaultState } from '../../sweep-vaults.ts'
import { callAll, callNode, jsonCall } from '../../node/client.ts'
import { readWithReceipt } from '../blocks/transaction.ts'
import { fromHex, keccak, toHex } from '../encoding/hex.ts'
import { hexBytes, object, quantity, readTransaction, type WireLog } from '../encoding/wire.ts'
import { factoryKey } from './addresses.ts'
import { maskedVaultHash, vaultCode } from './code.ts'

/** Widened: the views are read one like the other. */
const VAULT_ABI: Abi = kassaVault.abi

const VIEWS = [
  'owner',
  'collector',
  'pendingCollector',
  'collectorReadyAt',
  'pendingOwner',
  'ownerReadyAt',
  'frozen',
] as const

/** Tells which vault of our factory a transaction created; see `SweepVaults.created`. */
export async function readCreation(session: ChainSession, txId: string): Promise<VaultCreation> {
  const { facts, receipt } = await readWithReceipt(session, txId)
  if (facts.state !== 'included' || receipt === null)
    return { state: facts.state === 'included' ? 'pending' : facts.state }
  const [event, ...more] = creationsIn(receipt.logs)
  if (!event) return { state: 'mismatch', reason: 'not-by-factory' }
  if (more.length > 0) return { state: 'mismatch', reason: 'several' }
  const { vault, salt, creator } = event
  if (!(await readIsOurs(session, vault))) return { state: 'mismatch', reason: 'code' }
  const now = await readVaultState(session, vault)
  return { state: 'created', height: facts.block.height, vault, salt, creator, now }
}

/** Our factory says so itself: who called it, directly or through a multi-signature wallet, owns the vault. */
function creationsIn(logs: readonly WireLog[]): { vault: Address; salt: string; creator: Address }[] {
  const factory = toHex(factoryKey())
  const [topic] = encodeEventTopics({ abi: kassaFactory.abi, eventName: 'VaultCreated' })
  const ours = logs.filter(({ address, topics }) => address === factory && topics[0] === topic)
  const parsed = parseEventLogs({
    abi: kassaFactory.abi,
    logs: ours as unknown as Parameters<typeof parseEventLogs>[0]['logs'],
  })
  return parsed.map(({ args: { vault, salt, owner } }) => ({
    vault: checksumAddress(fromHex(vault)),
    salt,
    creator: checksumAddress(fromHex(owner)),
  }))
}

/** Compares the code at an address with the one that our factory creates there; see `SweepVaults.isOurs`. */
export async function readIsOurs(session: ChainSession, address: Address): Promise<boolean> {
  const code = hexBytes(await callNode(session, jsonCall('eth_getCode', address, 'latest')), 'code')
  return code === vaultCode(factoryKey(), fromHex(address))
}

/** Reads who owns a vault and where its money goes; see `SweepVaults.state`. */
export async function readVaultState(session: ChainSession, vault: Address): Promise<VaultState> {
  const calls = VIEWS.map((functionName) =>
    jsonCall('eth_call', { to: vault, data: encodeFunctionData({ abi: VAULT_ABI, functionName }) }, 'latest'),
  )
  const answers = (await callAll(session, calls)).map((answer) => hexBytes(answer, 'eth_call') as Hex)
  const value = (functionName: (typeof VIEWS)[number]) =>
    decodeFunctionResult({ abi: VAULT_ABI, functionName, data: answers[VIEWS.indexOf(functionName)] ?? '0x' })
  const readyAt = (of: 'collectorReadyAt' | 'ownerReadyAt') => {
    const seconds = Number(value(of))
    return seconds === 0 ? null : new Date(seconds * 1000)
  }
  const [collectorAt, ownerAt] = [readyAt('collectorReadyAt'), readyAt('ownerReadyAt')]
  return {
    owner: String(value('owner')),
    collector: String(value('collector')),
    proposed: collectorAt && { collector: String(value('pendingCollector')), readyAt: collectorAt },
    proposedOwner: ownerAt && { owner: String(value('pendingOwner')), readyAt: ownerAt },
    isFrozen: value('frozen') === true,
  }
}

/** Hashes what stands at an address, a vault with its own values left out; see `SweepVaults.codeHash`. */
export async function readCodeHash(session: ChainSession, address: Address): Promise<string | null> {
  const code = hexBytes(await callNode(session, jsonCall('eth_getCode', address, 'latest')), 'code')
  if (code === '0x') return null
  const isAsLong = code.length === kassaVault.runtime.length
  return isAsLong ? maskedVaultHash(code) : toHex(keccak(fromHex(code)))
}

/** Reads a transaction with the call it makes; see `SweepVaults.sent`. */
export async function readSent(session: ChainSession, txId: string): Promise<SentSweep> {
  const { facts } = await readWithReceipt(session, txId)
  if (facts.state === 'unknown') return { state: 'unknown' }
  const answer = await callNode(session, jsonCall('eth_getTransactionByHash', txId))
  if (answer === null) return { state: 'unknown' }
  const tx = readTransaction(answer)
  const raw = object(answer, 'transaction')
  const call = {
    from: checksumAddress(fromHex(tx.from)),
    sequence: quantity(raw['nonce'], 'nonce'),
    to: tx.to && checksumAddress(fromHex(tx.to)),
    value: tx.value,
    data: hexBytes(raw['input'], 'input'),
  }
  if (facts.state !== 'included' && facts.state !== 'failed') {
    return { state: facts.state === 'dropped' ? 'dropped' : 'pending', ...call }
  }
  const { height, hash: blockHash } = facts.block
  return { state: 'included', isSuccess: facts.state === 'included', height, blockHash, ...call }
}
