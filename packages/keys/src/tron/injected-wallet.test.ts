import { describe, expect, it, vi } from 'vitest'

import {
  connectTron,
  doorOfOldTronLink,
  signTron,
  switchTron,
  tronNetwork,
  type TronProvider,
} from './injected-wallet.ts'
import type { WalletTransaction } from './wallet-transaction.ts'

const ACCOUNT = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'
const SIGNATURE = 'ab'.repeat(65)
const transaction = { raw_data_hex: '0a02' } as unknown as WalletTransaction

const codeOf = (code: number) => Object.assign(new Error('no'), { code })

/** A wallet that answers each method with a value, or throws it. */
function provider(answers: Record<string, unknown>, tronWeb: TronProvider['tronWeb'] = false): TronProvider {
  return {
    tronWeb,
    request: async ({ method }) => {
      const answer = method in answers ? answers[method] : codeOf(4200)
      if (answer instanceof Error) throw answer
      return answer
    },
  }
}

const web = (sign: () => Promise<unknown>, host = ''): TronProvider['tronWeb'] => ({
  defaultAddress: { base58: ACCOUNT },
  fullNode: { host },
  trx: { sign },
})
const signs = (answer: unknown) => web(async () => answer)
const throws = (thrown: unknown) => web(vi.fn<() => Promise<never>>().mockRejectedValue(thrown))

describe('a wallet of TRON', () => {
  it('lets a page in, or says why not', async () => {
    expect(await connectTron(provider({ eth_requestAccounts: [ACCOUNT] }))).toBe(ACCOUNT)
    expect(await connectTron(provider({ eth_requestAccounts: [] }, signs(null)))).toBe(ACCOUNT)
    const refused = (answer: unknown) => connectTron(provider({ eth_requestAccounts: answer }))
    await expect(refused([])).rejects.toMatchObject({ code: 4100 })
    await expect(refused(codeOf(4001))).rejects.toMatchObject({ code: 4001 })
    await expect(refused(codeOf(-32_002))).rejects.toMatchObject({ code: -32_002 })
    await expect(refused(codeOf(-32_000))).rejects.toMatchObject({ code: 4100 })
  })

  it('names its network, by its node where it has no other word for it', async () => {
    expect(await tronNetwork(provider({ eth_chainId: '0x2B6653DC' }))).toBe('0x2b6653dc')
    const byHost = (host: string) =>
      tronNetwork(
        provider(
          {},
          web(async () => null, host),
        ),
      )
    expect(await byHost('https://api.trongrid.io')).toBe('0x2b6653dc')
    expect(await byHost('https://nile.trongrid.io/')).toBe('0xcd8690dc')
    expect(await byHost('https://api.trongrid.io.example')).toBe('api.trongrid.io.example')
    expect(await byHost('nonsense')).toBe('')
    expect(await tronNetwork(provider({}))).toBe('')
    await expect(tronNetwork(provider({ eth_chainId: codeOf(4900) }))).rejects.toMatchObject({ code: 4900 })
  })

  it('goes to another network, or does not', async () => {
    await switchTron(provider({ wallet_switchEthereumChain: null }), '0x2b6653dc')
    await expect(switchTron(provider({}), '0x2b6653dc')).rejects.toMatchObject({ code: 4200 })
  })

  it('signs exactly what it was asked to', async () => {
    const sign = (tronWeb: TronProvider['tronWeb']) => signTron(provider({}, tronWeb), transaction)
    expect(await sign(signs({ signature: [`0x${SIGNATURE}`], raw_data_hex: '0a02' }))).toBe(SIGNATURE)
    for (const answer of [
      null,
      {},
      { signature: [] },
      { signature: [SIGNATURE, SIGNATURE] },
      { signature: [SIGNATURE], raw_data_hex: '0a03' },
    ]) {
      await expect(sign(signs(answer))).rejects.toThrow('signed something else')
    }
    await expect(sign(false)).rejects.toMatchObject({ code: 4100 })
  })

  it.each(['Confirmation declined by user', 'cancel', 'cancle', new Error('Cancelled by user'), codeOf(4001)])(
    'is understood when it declines by %s',
    async (thrown) => {
      await expect(signTron(provider({}, throws(thrown)), transaction)).rejects.toMatchObject({ code: 4001 })
    },
  )

  it('is not said to have declined when it failed', async () => {
    const failure = new Error('Invalid transaction provided')
    await expect(signTron(provider({}, throws(failure)), transaction)).rejects.toBe(failure)
  })
})

describe('a TronLink from before TIP-1193', () => {
  const old = (answer: unknown) =>
    connectTron(doorOfOldTronLink({ request: async () => answer, tronWeb: signs(null) }, () => undefined))

  it('answers with codes instead of failing', async () => {
    expect(await old({ code: 200 })).toBe(ACCOUNT)
    await expect(old('')).rejects.toMatchObject({ code: 4100 })
    await expect(old(null)).rejects.toMatchObject({ code: 4100 })
    await expect(old({ code: 4000 })).rejects.toMatchObject({ code: -32_002 })
    await expect(old({ code: 4001 })).rejects.toMatchObject({ code: 4001 })
  })

  it('is read again each time, and is asked for nothing that it does not know', async () => {
    const link = { request: async () => ({ code: 200 }), tronWeb: false as TronProvider['tronWeb'] & (object | false) }
    const door = doorOfOldTronLink(link, () => undefined)
    await expect(connectTron(door)).rejects.toMatchObject({ code: 4100 })
    link.tronWeb = signs(null) as object as typeof link.tronWeb
    expect(await connectTron(door)).toBe(ACCOUNT)
    expect(await tronNetwork(door)).toBe('')
    await expect(switchTron(door, '0x1')).rejects.toMatchObject({ code: 4200 })
  })
})
