import type { LocalTron } from '@kassa/chains/testing/tron-node/chain.ts'
import { tronAdapter } from '@kassa/chains/tron/adapter.ts'
import { estimateCall } from '@kassa/chains/tron/state/constant-calls.ts'
import { readPrices } from '@kassa/chains/tron/sender/prices.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { OwnerQuestion } from '@kassa/contract/sandbox/schemas.ts'
import { findAsset } from '@kassa/primitives/chains/assets.ts'
import { trx } from '@kassa/primitives/chains/definitions/trx.ts'

import { tronAccount, tronPayer } from './payer.ts'

/**
 * The account that plays the merchant's own wallet on the sandbox's TRON: that of the other local chains. Its key is public,
 * the keccak-256 hash of the text `Kassa sandbox owner`.
 */
const OWNER_KEY = Buffer.from('66ea46a96baef188a2800a16d6d0a0a3d4ddf652dbc638ec3ca639811fd683e8', 'hex')

/** More than test deployments can spend: 10,000 TRX. */
const FUNDS = 10_000_000_000n
const NATIVE = 3

type Place = { readonly local: LocalTron; readonly url: string }
type Call = { readonly to?: string; readonly data?: string }

/**
 * Answers what pages ask a wallet of an EVM network (EIP-1193), of TRON: addresses are spelled as TRON's, gas is energy, its
 * price and balances are in sun. It confirms whatever it is asked. @throws VALIDATION_FAILED
 */
export async function askTronOwner({ local, url }: Place, { method, params = [] }: OwnerQuestion): Promise<unknown> {
  const account = tronAccount(url, OWNER_KEY)
  const keyOf = (address: unknown) => tronAdapter.addresses.key(account.chain, textOf(address))
  const machine = local.machine()
  switch (method) {
    case 'eth_accounts':
    case 'eth_requestAccounts':
      return [account.address]
    case 'eth_chainId':
      return hexOf(BigInt(trx.networks.sandbox.chainId ?? 0))
    case 'eth_getCode':
      return `0x${Buffer.from(await machine.code(keyOf(params[0]))).toString('hex')}`
    case 'eth_gasPrice':
      return hexOf((await readPrices(account.session())).energy)
    case 'eth_getBalance':
      await fund(local, url, account.address)
      return hexOf((await machine.balance(keyOf(params[0]))) ?? 0n)
    case 'eth_call':
    case 'eth_estimateGas': {
      const { to, data } = callOf(params[0])
      const call = { from: keyOf(account.address), to: keyOf(to), units: 0n, data: bytesOf(data) }
      const answer = await estimateCall(account.session(), call)
      if ('failure' in answer) return fail('VALIDATION_FAILED', { message: answer.failure })
      return method === 'eth_call' ? `0x${answer.returned}` : hexOf(answer.energy)
    }
    case 'eth_sendTransaction': {
      await fund(local, url, account.address)
      const { to, data } = callOf(params[0])
      const { txHash } = await account.send({ kind: 'call', to, data, units: 0n })
      return txHash
    }
  }
}

async function fund(local: LocalTron, url: string, to: string): Promise<void> {
  const payer = tronPayer(url)
  const held = (await local.machine().balance(tronAdapter.addresses.key(tronAccount(url, OWNER_KEY).chain, to))) ?? 0n
  const asset = findAsset(NATIVE)
  if (asset && held < FUNDS / 2n) await payer.pay({ asset, to, units: FUNDS })
}

function callOf(asked: unknown): { readonly to: string; readonly data: string } {
  const { to, data } = (asked ?? {}) as Call
  return { to: textOf(to), data: textOf(data) }
}

function textOf(value: unknown): string {
  return typeof value === 'string'
    ? value
    : fail('VALIDATION_FAILED', { message: 'The wallet does not understand this' })
}

function bytesOf(data: string): Uint8Array {
  return Uint8Array.from(Buffer.from(data.slice(2), 'hex'))
}

function hexOf(value: bigint): string {
  return `0x${value.toString(16)}`
}
