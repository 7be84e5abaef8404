import { kassaVault } from '@kassa/solidity/generated/kassa-vault.ts'
import { checksumAddress } from '@kassa/keys/address-text.ts'
import type { Hex } from 'viem'
import type { Address, ChainSession } from '../../adapter.ts'
import type { SentSweep, VaultCreation, VaultState } from '../../sweep-vaults.ts'
import { callAll, callNode, jsonCall } from '../../node/client.ts'
import { readWithReceipt } from '../blocks/transaction.ts'
import { fromHex, keccak, toHex } from '../encoding/hex.ts'
import { hexBytes, object, quantity, readTransaction } from '../encoding/wire.ts'
import { factoryKey } from './addresses.ts'
import { maskedVaultHash, vaultCode } from '../../vault-contract/code.ts'
import { creationsIn } from '../../vault-contract/creation.ts'
import { readState, stateCalls } from '../../vault-contract/views.ts'

/** Tells which vault of our factory a transaction created; see `SweepVaults.created`. */
export async function readCreation(session: ChainSession, txId: string): Promise<VaultCreation> {
  const { facts, receipt } = await readWithReceipt(session, txId)
  if (facts.state !== 'included' || receipt === null)
    return { state: facts.state === 'included' ? 'pending' : facts.state }
  const [event, ...more] = creationsIn(receipt.logs, toHex(factoryKey()))
  if (!event) return { state: 'mismatch', reason: 'not-by-factory' }
  if (more.length > 0) return { state: 'mismatch', reason: 'several' }
  const { salt } = event
  const [vault, creator] = [event.vault, event.owner].map((one) => checksumAddress(fromHex(one))) as [string, string]
  if (!(await readIsOurs(session, vault))) return { state: 'mismatch', reason: 'code' }
  const now = await readVaultState(session, vault)
  return { state: 'created', height: facts.block.height, vault, salt, creator, now }
}

/** Compares the code at an address with the one that our factory creates there; see `SweepVaults.isOurs`. */
export async function readIsOurs(session: ChainSession, address: Address): Promise<boolean> {
  const code = hexBytes(await callNode(session, jsonCall('eth_getCode', address, 'latest')), 'code')
  return code === vaultCode(factoryKey(), fromHex(address))
}

/** Reads who owns a vault and where its money goes; see `SweepVaults.state`. */
export async function readVaultState(session: ChainSession, vault: Address): Promise<VaultState> {
  const calls = stateCalls().map((data) => jsonCall('eth_call', { to: vault, data }, 'latest'))
  const answers = (await callAll(session, calls)).map((answer) => hexBytes(answer, 'eth_call') as Hex)
  return readState(answers, String)
}

/** Hashes the code at an address, of a vault without its own values; see `SweepVaults.codeHash`. */
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
    return { state: facts.state === 'replaced' ? 'dropped' : 'pending', ...call }
  }
  const { height, hash: blockHash } = facts.block
  return { state: 'included', isSuccess: facts.state === 'included', height, blockHash, ...call }
}
