// @vitest-environment happy-dom
import { ASSETS } from '@kassa/primitives/chains/assets.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import {
  ACCOUNT,
  BASE,
  buttons,
  fakeWallet,
  load,
  loads,
  named,
  press,
  refusal,
  RICH,
  show,
  soon,
  startOver,
  words,
  isPayOffered,
} from '../../testing/browser-wallet.ts'
import { ADDRESS, pinnedPayment, SAMPLES, sampleView } from '../../testing/samples.ts'
import { answerWalletButton } from '../wallet-button.ts'

answerWalletButton(load)
beforeEach(startOver)
afterEach(() => void vi.useRealTimers())

describe('pay with a wallet', () => {
  it('loads its part and asks wallets only when it is pressed, and is one press then', async () => {
    const wallet = fakeWallet()
    expect([loads(), wallet.calls]).toEqual([[], []])
    await press()
    expect(loads()).toEqual(['/checkout/wallet.js'])
    expect(wallet.sent()).toEqual([
      {
        chainId: BASE,
        from: ACCOUNT,
        to: SAMPLES.waiting.payment.currencyAddress,
        value: '0x0',
        data: `0xa9059cbb${ADDRESS.slice(2).toLowerCase().padStart(64, '0')}${(49_000_000).toString(16).padStart(64, '0')}`,
      },
    ])
    expect(words()).toContain('Sent from your wallet: ')
    expect(words()).toContain('9f3c…a01b')
    expect(words()).toContain('Waiting to see it on Base.')
    expect(isPayOffered()).toBe(false)
  })

  it('continues without a press, once, when the wallet was chosen together with the currency', async () => {
    const wallet = fakeWallet()
    show(SAMPLES.choose)
    const submitter = document.querySelector<HTMLElement>('[data-with-wallet]')
    const form = document.querySelector('form[data-choice]')
    form?.dispatchEvent(Object.assign(new Event('submit', { bubbles: true, cancelable: true }), { submitter }))
    expect(loads()).toEqual([])
    show(SAMPLES.waiting)
    answerWalletButton(load)
    await soon(() => expect(wallet.sent()).toHaveLength(1))
    show(SAMPLES.waiting)
    answerWalletButton(load)
    expect(loads()).toEqual(['/checkout/wallet.js'])
  })

  it('is offered beside the choice of a currency, to scripts only', () => {
    show(SAMPLES.choose)
    const button = document.querySelector('form[data-choice] [data-with-wallet]')
    expect([button?.textContent, button?.hasAttribute('data-script')]).toEqual([
      'Pay with a wallet in this browser',
      true,
    ])
  })

  it('sends the network’s own currency plainly', async () => {
    show(
      sampleView(
        pinnedPayment({
          currencySymbol: 'ETH',
          currencyAddress: ASSETS.find(({ blockchain, currency }) => blockchain === 'BASE' && currency === 'ETH')
            ?.addresses.mainnet,
          currencyDecimals: 18,
          amount: '0.016266',
          amountDue: '0.016266',
          paymentURI: `ethereum:${ADDRESS}@8453?value=16266000000000000`,
        }),
      ),
    )
    const wallet = fakeWallet()
    await press()
    expect(wallet.sent()).toEqual([
      { chainId: BASE, from: ACCOUNT, to: ADDRESS, value: `0x${16_266_000_000_000_000n.toString(16)}` },
    ])
    expect(wallet.calls.map(({ method }) => method)).not.toContain('eth_call')
  })

  it('sends nothing on another network: it is named, switched, and only then can be sent', async () => {
    const wallet = fakeWallet({ eth_chainId: '0x1' })
    await press()
    expect(words()).toBe('Your wallet is on Ethereum. This payment is on Base.')
    expect(named('Send 49 USDC')?.disabled).toBe(true)
    wallet.answers['wallet_switchEthereumChain'] = () => void (wallet.answers['eth_chainId'] = BASE)
    await press('Switch to Base')
    await soon(() => expect(named('Send 49 USDC')?.disabled).toBe(false))
    expect(wallet.calls.find(({ method }) => method === 'wallet_switchEthereumChain')?.params).toEqual([
      { chainId: BASE },
    ])
    expect(wallet.sent()).toEqual([])
    await press('Send 49 USDC')
    await soon(() => expect(words()).toContain('Sent from your wallet'))
    expect(wallet.sent()).toHaveLength(1)
  })

  it('names a chain of the sandbox by the network it stands for', async () => {
    fakeWallet({ eth_chainId: '0x7a69' })
    await press()
    expect(words()).toBe('Your wallet is on Ethereum. This payment is on Base.')
  })

  it('says when the wallet does not know the network', async () => {
    fakeWallet({ eth_chainId: '0x539', wallet_switchEthereumChain: refusal(4902) })
    await press()
    expect(words()).toBe('Your wallet is on #1337. This payment is on Base.')
    await press('Switch to Base')
    await soon(() => expect(words()).toContain('Your wallet does not know Base.'))
  })

  it('says that nothing was sent when the customer declines', async () => {
    const wallet = fakeWallet({ eth_sendTransaction: refusal(4001) })
    await press()
    expect(words()).toBe('You declined. Nothing was sent.')
    wallet.answers['eth_requestAccounts'] = refusal(4001)
    await press()
    expect(words()).toBe('You declined. Nothing was sent.')
  })

  it('checks money and fee before it asks', async () => {
    const poor = fakeWallet({ eth_call: '0x1' })
    await press()
    expect([words(), poor.sent()]).toEqual(['This account has too little USDC.', []])
    poor.answers['eth_call'] = RICH
    poor.answers['eth_getBalance'] = '0x0'
    await press()
    expect([words(), poor.sent()]).toEqual(['This account has too little ETH for the network’s fee.', []])
  })

  it('checks again when the account changes', async () => {
    const wallet = fakeWallet({ eth_chainId: '0x1' })
    await press()
    wallet.answers['eth_chainId'] = BASE
    wallet.answers['eth_accounts'] = ['0x2222222222222222222222222222222222222222']
    wallet.heard['accountsChanged']?.()
    await soon(() => expect(words()).toBe('The account in your wallet changed. Check it before you send.'))
    named('Send 49 USDC')?.click()
    await soon(() => expect(wallet.sent()).toHaveLength(1))
    expect(wallet.sent()).toEqual([expect.objectContaining({ from: '0x2222222222222222222222222222222222222222' })])
  })

  it('lets the customer choose among several wallets, by name', async () => {
    const [one, other] = [fakeWallet({}, 'One'), fakeWallet({}, 'Other')]
    await press()
    expect([words(), buttons().map(({ textContent }) => textContent)]).toEqual(['Which wallet?', ['One', 'Other']])
    expect([one.calls, other.calls]).toEqual([[], []])
    named('Other')?.click()
    await soon(() => expect(other.sent()).toHaveLength(1))
    expect(one.calls).toEqual([])
  })

  it('says when there is no wallet', async () => {
    await press()
    expect(words()).toBe('No wallet was found in this browser. Use the QR code or the address.')
  })

  it('is offered only where a wallet of the browser can pay', () => {
    show(SAMPLES.paid)
    expect(document.querySelector('#pay-with-wallet')).toBeNull()
    show(sampleView(pinnedPayment({ paymentURI: null })))
    expect(document.querySelector('#pay-with-wallet')).toBeNull()
    show(SAMPLES['partly-open'])
    const pay = JSON.parse(document.querySelector<HTMLElement>('#view')?.dataset['pay'] ?? '{}') as { units: string }
    expect(pay.units).toBe('400000')
  })
})
