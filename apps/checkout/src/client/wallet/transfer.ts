import { foldLike } from '@kassa/keys/address-case.ts'
import type { PayFacts } from '../../render/panels/wallet.ts'
import type { Provider } from './providers.ts'

/** A transaction as a wallet takes it (`eth_sendTransaction`). */
export type Transfer = {
  /** A wallet that has meanwhile gone to another network refuses. */
  readonly chainId: string
  readonly from: string
  readonly to: string
  readonly value: string
  readonly data?: string
}

/** `transfer(address,uint256)` and `balanceOf(address)` of ERC-20. */
const TRANSFER = '0xa9059cbb'
const BALANCE_OF = '0x70a08231'

/** Writes the transfer of exactly what the page asks for. */
export function transferOf({ chainId, to, token, units }: PayFacts, from: string): Transfer {
  if (token === null) return { chainId, from, to, value: hex(BigInt(units)) }
  return { chainId, from, to: token, value: '0x0', data: `${TRANSFER}${word(to)}${word(hex(BigInt(units)))}` }
}

/** Names what an account has too little of; null when it can pay, or when the wallet does not say. */
export async function shortage(provider: Provider, pay: PayFacts, from: string): Promise<'noMoney' | 'noFee' | null> {
  const read = async (method: string, ...params: readonly unknown[]) =>
    BigInt(String(await provider.request({ method, params })))
  const due = BigInt(pay.units)
  try {
    // The token first: whatever else the wallet does not say, an address that is no contract must not pass.
    if (pay.token !== null && (await heldOf(provider, pay.token, from)) < due) return 'noMoney'
    const native = await read('eth_getBalance', from, 'latest')
    if (pay.token === null && native < due) return 'noMoney'
    const fee = (await read('eth_estimateGas', transferOf(pay, from))) * (await read('eth_gasPrice'))
    return native < fee + (pay.token === null ? due : 0n) ? 'noFee' : null
  } catch {
    return null
  }
}

/** Where there is no contract the answer is `0x`: nothing is held there, and a transfer would burn its fee. */
async function heldOf(provider: Provider, token: string, account: string): Promise<bigint> {
  const call = { to: token, data: `${BALANCE_OF}${word(account)}` }
  const answer = await provider.request({ method: 'eth_call', params: [call, 'latest'] })
  return typeof answer === 'string' && /^0x[0-9a-f]+$/i.test(answer) ? BigInt(answer) : 0n
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`
}

/** One argument of a call: 32 bytes. */
function word(value: string): string {
  return foldLike(value, value).slice(2).padStart(64, '0')
}
