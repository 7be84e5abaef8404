import { fail } from '@kassa/contract/kit/api-error.ts'
import { ASSETS, type Asset } from '@kassa/primitives/chains/assets.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { type Address, type Hex, createWalletClient, erc20Abi, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

import type { LocalChain } from './local-chain.ts'
import { payerKey } from './payer-account.ts'

/** A transfer that is mined and on disk. */
export type Paid = { readonly txHash: string; readonly height: number }

const account = privateKeyToAccount(payerKey)

/** More than the fee of any transfer on a local chain, in wei. */
const RESERVE_FOR_FEES = 10n ** 16n

function open(chain: LocalChain) {
  const definition = {
    id: chain.chainId,
    name: `Sandbox ${chain.code}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [chain.url] } },
  }
  return createWalletClient({ account, chain: definition, transport: http(chain.url), pollingInterval: 10 }).extend(
    publicActions,
  )
}

/** Sends `units` of an ERC-20 token from the sandbox's payer. @throws Error when the transfer fails on chain. */
export async function payErc20(chain: LocalChain, input: { token: string; to: string; units: bigint }): Promise<Paid> {
  const { to, units } = input
  const token = input.token as Address
  return pay(chain, async (client) => {
    requireMeans(units, await tokenBalance(client, token))
    return client.writeContract({
      address: token,
      abi: erc20Abi,
      functionName: 'transfer',
      args: [to as Address, units],
    })
  })
}

/** Sends wei of the chain's own currency from the sandbox's payer. */
export async function payNative(chain: LocalChain, { to, units }: { to: string; units: bigint }): Promise<Paid> {
  return pay(chain, async (client) => {
    requireMeans(units + RESERVE_FOR_FEES, await client.getBalance(account))
    return client.sendTransaction({ to: to as Address, value: units })
  })
}

/** Sends a token that calls itself USDC and is not: what a careless or dishonest payer would send. */
export async function payLookAlike(chain: LocalChain, input: { to: string; units: bigint }): Promise<Paid> {
  return payErc20(chain, { token: SANDBOX_TOKENS.lookAlikeUsdc, ...input })
}

/** Pays one of the chain's seeded assets, token or native. */
export async function payAsset(chain: LocalChain, input: { asset: Asset; to: string; units: bigint }): Promise<Paid> {
  const { asset, to, units } = input
  const token = asset.addresses.sandbox
  if (asset.blockchain !== chain.code || token === null) throw new Error(`${asset.currency} is not on ${chain.code}`)
  return asset.standard === 'native' ? payNative(chain, { to, units }) : payErc20(chain, { token, to, units })
}

/** What the payer has of each seeded asset of the chain. */
export async function balances(chain: LocalChain): Promise<readonly { asset: Asset; units: bigint }[]> {
  const client = open(chain)
  const assets = ASSETS.filter(({ blockchain, addresses }) => blockchain === chain.code && addresses.sandbox !== null)
  return Promise.all(
    assets.map(async (asset) => {
      if (asset.standard === 'native') return { asset, units: await client.getBalance(account) }
      return { asset, units: await tokenBalance(client, asset.addresses.sandbox as Address) }
    }),
  )
}

function tokenBalance(client: ReturnType<typeof open>, address: Address): Promise<bigint> {
  return client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [account.address] })
}

function requireMeans(units: bigint, balance: bigint): void {
  if (units <= balance) return
  const message = 'The payer of the sandbox has less than this amount'
  fail('VALIDATION_FAILED', { message, fields: { amount: message } })
}

async function pay(chain: LocalChain, send: (client: ReturnType<typeof open>) => Promise<Hex>): Promise<Paid> {
  return chain.change(async () => {
    const client = open(chain)
    const hash = await send(client)
    const { status, blockNumber } = await client.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`The sandbox payment ${hash} failed on ${chain.code}`)
    return { txHash: hash, height: Number(blockNumber) }
  })
}
