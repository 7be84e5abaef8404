import type { CheckoutView, Diagnosis } from '../render/view.ts'
import {
  ADDRESS,
  fundedPayment,
  HELD,
  inMinutes,
  ON_ITS_WAY,
  OPTIONS,
  PARTLY,
  pinnedPayment,
  sampleRepair,
  sampleView,
  WAITING,
} from './samples.ts'

/** A view in which a payer asked about a transaction. */
export function sampleAsked(diagnosis: Partial<Diagnosis> & Pick<Diagnosis, 'verdict' | 'text'>): CheckoutView {
  const txHash = fundedPayment('49').deposits[0]?.txHash ?? ''
  return sampleView(pinnedPayment(), {
    asked: {
      txHash,
      blockchainCode: 'BASE',
      diagnosis: {
        confirmations: null,
        confirmationRequired: null,
        blockchainCode: 'BASE',
        currencyCode: 'USDC',
        amount: '49',
        paidTo: ADDRESS,
        depositAddress: ADDRESS,
        explorerTransaction: `https://basescan.org/tx/${txHash}`,
        ...diagnosis,
      },
    },
  })
}

/** Rows of the table together with something else that is so at the same time. */
export const VARIANTS = {
  'public-site': sampleView(pinnedPayment(), { siteUrl: 'https://pay.acme.example' }),
  'partly-on-its-way': sampleView(
    fundedPayment('48.6', {
      ...ON_ITS_WAY,
      fundingState: 'confirming',
      deposits: WAITING.map((one) => ({ ...one, amount: '48.6' })),
      rateLockedUntil: inMinutes(41),
      repair: sampleRepair('send_rest', '0.4'),
    }),
  ),
  'partly-in-two': sampleView(
    fundedPayment('48.6', {
      ...PARTLY,
      filledAmount: '40',
      amountDue: '9',
      fundingState: 'confirming',
      rateLockedUntil: inMinutes(41),
      repair: sampleRepair('send_rest', '0.4'),
      deposits: [
        ...fundedPayment('40').deposits,
        ...WAITING.map((one) => ({ ...one, amount: '8.6', blockchainCode: 'ETH', reason: 'other_network' as const })),
      ],
    }),
  ),
  'second-source': sampleView(
    fundedPayment('49', {
      ...ON_ITS_WAY,
      fundingState: 'confirming',
      confirmationCurrent: 11,
      deposits: WAITING.map((one) => ({ ...one, waitsBecause: 'A second node must agree.' })),
    }),
  ),
  'held-up': sampleView(
    fundedPayment('49', { ...ON_ITS_WAY, fundingState: 'confirming', waitsBecause: 'Base is not followed right now.' }),
  ),
  'late-on-its-way': sampleView(
    fundedPayment('49', {
      ...ON_ITS_WAY,
      fundingState: 'confirming',
      deposits: WAITING,
      paymentState: 'CANCELLED',
      cancelReason: 'expired',
      late: true,
    }),
  ),
  'paid-and-more-held': sampleView(
    fundedPayment('49', {
      paymentState: 'FILLED',
      amountDue: '0',
      deposits: [...fundedPayment('49').deposits, ...HELD.map((one) => ({ ...one, amount: '5' }))],
      repair: sampleRepair('on_hold', '5', 'Acme is checking the 5 USDC that arrived. Nothing for you to do.'),
    }),
  ),
  'taken-back-for-good': sampleView(
    pinnedPayment({ paymentState: 'CANCELLED', cancelReason: 'expired', fundingState: 'reverted' }),
  ),
  'below-minimum': sampleView(
    pinnedPayment({
      deposits: WAITING.map((one) => ({
        ...one,
        amount: '0.01',
        state: 'ignored' as const,
        reason: 'below_minimum' as const,
      })),
    }),
  ),
  'price-gone': sampleView(pinnedPayment({ rateLockedUntil: inMinutes(-1) }), {
    options: OPTIONS.map((option) => ({
      ...option,
      ready: option.blockchainCode !== 'BASE',
      reason: 'There is no trustworthy price right now.',
      obstacle: 'price' as const,
    })),
  }),
  'asked-too-often': sampleView(pinnedPayment(), {
    asked: {
      txHash: '0x9f3c',
      blockchainCode: '',
      diagnosis: null,
      refusal: { code: 'RATE_LIMITED', text: 'Too many requests.', seconds: 10 },
    },
  }),
  'asked-nonsense': sampleView(pinnedPayment(), {
    asked: {
      txHash: 'order 4711',
      blockchainCode: '',
      diagnosis: null,
      refusal: { code: 'VALIDATION_FAILED', text: 'This is not a valid transaction hash' },
    },
  }),
  'asked-wrong-address': sampleAsked({
    verdict: 'wrong_address',
    text: 'It went to 0x5aAe6f1A26cD4b8C1c6a5f3dE1b1C2d3E4f5BeAed, not to the address of this request. Compare the first and last 6 characters. If Acme gave you that address for another request, ask Acme; if nobody did, ask your wallet’s support.',
    paidTo: '0x5aAe6f1A26cD4b8C1c6a5f3dE1b1C2d3E4fBeAed',
  }),
  'asked-other-network': sampleAsked({
    verdict: 'wrong_network',
    text: 'It is on Polygon; this page asked for Base. 49 USDC is safe at an address of Acme, who can count it or send it back.',
  }),
  'asked-not-found': sampleAsked({
    verdict: 'not_found',
    text: 'No network we watch knows this hash yet. Wait 5 minutes and check the hash. Exchanges often wait 10 to 60 minutes before they send.',
    explorerTransaction: null,
  }),
  'asked-without-hash': sampleView(pinnedPayment(), {
    asked: {
      txHash: '',
      blockchainCode: '',
      withoutHash: { amount: '49', address: '', paidOn: '2026-11-20' },
      diagnosis: {
        verdict: 'not_found',
        text: 'No matching payment has arrived for this request. Check what you typed, and that you paid to the address on this page. Exchanges often wait 10 to 60 minutes before they send; the transaction hash finds a payment for certain.',
        confirmations: null,
        confirmationRequired: null,
        blockchainCode: null,
        currencyCode: null,
        amount: null,
        paidTo: null,
        depositAddress: ADDRESS,
        explorerTransaction: null,
      },
    },
  }),
  'asked-without-hash-nonsense': sampleView(pinnedPayment(), {
    asked: {
      txHash: '',
      blockchainCode: '',
      withoutHash: { amount: 'a lot', address: '', paidOn: '' },
      diagnosis: null,
      refusal: { code: 'VALIDATION_FAILED', text: 'Amount must be a number such as 49 or 0.015' },
    },
  }),
  'asked-confirming': sampleAsked({
    verdict: 'confirming',
    text: 'It was seen: 3 of 12 confirmations. Nothing to do: this page updates by itself.',
    confirmations: 3,
    confirmationRequired: 12,
  }),
} as const satisfies Record<string, CheckoutView>
