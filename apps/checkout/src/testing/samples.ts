import type {
  AssetPrice,
  CheckoutView,
  DepositAddress,
  PaymentOption,
  PaymentPublic,
  PaymentRepair,
  ProjectPublic,
  PublicDeposit,
} from '../render/view.ts'

/** The moment every sample is drawn at. */
export const NOW = new Date('2026-11-20T05:13:20.000Z')

/** Where the samples are paid to. */
export const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const USDC_ON_BASE = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

/** Gives a moment some minutes after `NOW`. */
export function inMinutes(minutes: number): Date {
  return new Date(NOW.getTime() + minutes * 60_000)
}

/** A fresh payment of $49: nothing chosen yet. */
export function samplePayment(changes: Partial<PaymentPublic> = {}): PaymentPublic {
  return {
    invoiceID: 'A-77',
    description: 'Two bags of Ethiopia Guji, 250 g',
    customerID: null,
    currencySymbol: null,
    blockchainSymbol: null,
    currencyAddress: null,
    currencyName: null,
    currencyDesc: null,
    currencyDecimals: null,
    amountInUSD: '49',
    filledAmount: null,
    filledAmountInUSD: null,
    paymentState: 'OPEN',
    merchantName: 'Acme',
    depositAddress: null,
    referenceID: '0199f0b2-6d6e-7c3a-9b1e-3f6f5b1a2c4d',
    successURL: 'https://acme.example/thanks',
    cancelURL: 'https://acme.example/cart',
    createdAt: inMinutes(-2),
    explorerTransaction: '',
    externalPlatformID: 1,
    confirmationCurrent: 0,
    confirmationRequired: 0,
    amount: null,
    amountDue: null,
    amountDueInUSD: '49',
    overpaid: null,
    fundingState: 'none',
    late: false,
    cancelReason: null,
    expiresAt: inMinutes(15),
    rateLockedUntil: null,
    paymentURI: null,
    deposits: [],
    dropped: [],
    unlisted: [],
    repair: null,
    waits: null,
    waitsBecause: null,
    supersededBy: null,
    test: false,
    ...changes,
  }
}

/** 12.5 of an unlisted token. */
export const UNLISTED: PaymentPublic['unlisted'][number] = {
  contract: '0x6B175474E89094C44Da98b954EedeAC495271d0F',
  symbol: 'DAI',
  isLookAlike: false,
  amount: '12.5',
  blockchainCode: 'BASE',
  txHash: `0x${'ab'.repeat(32)}`,
  explorerTransaction: `https://basescan.org/tx/0x${'ab'.repeat(32)}`,
  minedAt: NOW,
}

/** The same payment, pinned to 49 USDC on Base. */
export function pinnedPayment(changes: Partial<PaymentPublic> = {}): PaymentPublic {
  return samplePayment({
    currencySymbol: 'USDC',
    blockchainSymbol: 'BASE',
    currencyAddress: USDC_ON_BASE,
    currencyName: 'USD Coin',
    currencyDecimals: 6,
    depositAddress: ADDRESS,
    amount: '49',
    amountDue: '49',
    confirmationRequired: 12,
    rateLockedUntil: new Date(NOW.getTime() + 760_000),
    paymentURI: `ethereum:${USDC_ON_BASE}@8453/transfer?address=${ADDRESS}&uint256=49000000`,
    ...changes,
  })
}

/** The pinned payment with one transfer. */
export function fundedPayment(amount: string, changes: Partial<PaymentPublic> = {}): PaymentPublic {
  const txHash = '0x9f3c1d0b8c5e7a42d9e1f0a3b6c8d7e5f4a3b2c1d0e9f8a7b6c5d4e3f2a1a01b'
  const explorerTransaction = `https://basescan.org/tx/${txHash}`
  const confirmations = changes.confirmationCurrent ?? 12
  return pinnedPayment({
    fundingState: 'confirmed',
    filledAmount: amount,
    confirmationCurrent: 12,
    explorerTransaction,
    deposits: [
      {
        txHash,
        amount,
        currencyCode: 'USDC',
        blockchainCode: 'BASE',
        state: 'counted',
        reason: null,
        confirmations,
        waits: null,
        waitsBecause: null,
        explorerTransaction,
        seenAt: inMinutes(-1),
      },
    ],
    ...changes,
  })
}

export const PROJECT: ProjectPublic = {
  id: 1,
  name: 'Acme',
  logoPath: '',
  brandColor: '#caff54',
  checkoutLanguage: '',
  checkoutTheme: 'system',
  backText: '',
  website: 'https://acme.example',
  successEndpoint: '',
  cancelEndpoint: '',
  supportEmail: 'help@acme.example',
  twitterURL: '',
  discordURL: '',
  linkedInURL: '',
  telegramURL: '',
}

/** One way to pay. */
export function sampleOption(
  currencyCode: string,
  blockchainCode: string,
  network: string,
  changes: Partial<PaymentOption> = {},
): PaymentOption {
  return {
    id: 1,
    blockchainCode,
    network,
    currencyCode,
    currency: currencyCode,
    customerAddress: '',
    tokenAddress: '',
    standard: 'ERC20',
    walletPrecision: 6,
    family: 'ETH_Family',
    recommended: false,
    mostUsed: false,
    blockchainID: 1,
    currencyID: 1,
    ready: true,
    reason: null,
    obstacle: null,
    minDepositAmount: null,
    typicalFee: 'low',
    typicalSeconds: 30,
    ...changes,
  }
}

const ON_ETHEREUM = { typicalFee: 'high', typicalSeconds: 144 } as const

/** In the order of the server. */
export const OPTIONS: readonly PaymentOption[] = [
  sampleOption('USDC', 'BASE', 'Base', { recommended: true, currency: 'USD Coin' }),
  sampleOption('USDC', 'ETH', 'Ethereum', { mostUsed: true, currency: 'USD Coin', ...ON_ETHEREUM }),
  sampleOption('USDT', 'ETH', 'Ethereum', ON_ETHEREUM),
  sampleOption('ETH', 'BASE', 'Base', { walletPrecision: 18, standard: 'native' }),
  sampleOption('BTC', 'BTC', 'Bitcoin', {
    walletPrecision: 8,
    family: 'BTC_Family',
    ready: false,
    reason: 'Bitcoin is catching up',
    obstacle: 'network',
  }),
]

export const PRICES: readonly AssetPrice[] = [
  { blockchainCode: 'ETH', currencyCode: 'USDC', price: '1' },
  { blockchainCode: 'ETH', currencyCode: 'USDT', price: '0.9987' },
  { blockchainCode: 'BASE', currencyCode: 'USDC', price: '1' },
  { blockchainCode: 'BASE', currencyCode: 'ETH', price: '3012.55' },
]

const GIVEN: DepositAddress = {
  id: 1,
  createdAt: inMinutes(-2),
  Address: ADDRESS,
  Family: 'ETH_Family',
  Status: 'active',
  MemberID: 1,
  xpub_id: 1,
  BlockchainFamilyID: 1,
  Member: null,
  BlockchainFamily: { id: 1, family: 'ETH_Family' },
  wallet: { id: 1, name: 'Deposits' },
  blockchainCode: 'BASE',
  proof: '',
  path: "m/44'/60'/0'/0/0",
  quote: {
    currencyCode: 'USDC',
    blockchainCode: 'BASE',
    amount: '49',
    priceInUSD: '1',
    quotedAt: inMinutes(-2),
    lockedUntil: inMinutes(13),
    sources: ['Kraken', 'Coinbase'],
  },
}

/** A view with sane defaults. */
export function sampleView(payment: PaymentPublic, changes: Partial<CheckoutView> = {}): CheckoutView {
  return {
    payment,
    payerEmail: 'a…n@shop.example',
    project: PROJECT,
    options: OPTIONS,
    addresses: payment.depositAddress === null ? [] : [GIVEN],
    prices: PRICES,
    now: NOW,
    siteUrl: 'http://localhost:8080',
    scriptUrl: '/checkout/checkout.js',
    ...changes,
  }
}

/** The pinned payment with a deposit that does not count without a decision. */
export function unappliedPayment(deposit: Partial<PublicDeposit>, changes: Partial<PaymentPublic> = {}): PaymentPublic {
  const deposits = fundedPayment('49').deposits.map((one) => ({ ...one, state: 'unapplied' as const, ...deposit }))
  const [{ amount, currencyCode, blockchainCode } = { amount: null, currencyCode: null, blockchainCode: null }] =
    deposits
  const text = `${amount} ${currencyCode} arrived and does not count for this request yet. Ask Acme.`
  const repair = { kind: 'unapplied', text, amount, currencyCode, blockchainCode, until: null, contact: null } as const
  return pinnedPayment({ deposits, repair, ...changes })
}

/** What is amiss, in the asset asked for. */
export function sampleRepair(kind: PaymentRepair['kind'], amount: string, text = ''): PaymentRepair {
  return {
    kind,
    text,
    amount,
    currencyCode: 'USDC',
    blockchainCode: 'BASE',
    until: kind === 'send_rest' ? inMinutes(41) : null,
    contact: PROJECT.supportEmail,
  }
}

/** What a payment is of which 48.6 of 49 are final. */
export const PARTLY = { filledAmount: '48.6', amountDue: '0.4', paymentState: 'PARTIALLY_FILLED' } as const
const behind = OPTIONS.map((option) =>
  option.blockchainCode === 'BASE'
    ? { ...option, ready: false, reason: 'Base answers slowly: 14 blocks behind.', obstacle: 'network' as const }
    : option,
)
/** What a payment is of which nothing is final. */
export const ON_ITS_WAY = { filledAmount: null, confirmationCurrent: 3 } as const
/** A transfer that is not final. */
export const WAITING = fundedPayment('49', ON_ITS_WAY).deposits.map((one) => ({ ...one, state: 'waiting' as const }))
/** The same, looked at by a person. */
export const HELD = WAITING.map((one) => ({ ...one, state: 'on_hold' as const, reason: 'NODE_DISAGREEMENT' as const }))

/** One view per row of the states table. */
export const SAMPLES = {
  choose: sampleView(samplePayment()),
  waiting: sampleView(pinnedPayment()),
  'network-behind': sampleView(pinnedPayment(), { options: behind }),
  'price-lapsed': sampleView(pinnedPayment({ rateLockedUntil: inMinutes(-1) })),
  detected: sampleView(
    fundedPayment('49', { ...ON_ITS_WAY, fundingState: 'detected', deposits: WAITING, confirmationCurrent: 0 }),
  ),
  confirming: sampleView(fundedPayment('49', { ...ON_ITS_WAY, fundingState: 'confirming', deposits: WAITING })),
  paid: sampleView(fundedPayment('49', { paymentState: 'FILLED', amountDue: '0' })),
  overpaid: sampleView(
    fundedPayment('49.51', {
      paymentState: 'OVER_FILLED',
      amountDue: '0',
      overpaid: '0.51',
      repair: sampleRepair('surplus', '0.51'),
    }),
  ),
  'partly-open': sampleView(
    fundedPayment('48.6', { ...PARTLY, rateLockedUntil: inMinutes(41), repair: sampleRepair('send_rest', '0.4') }),
  ),
  'partly-lapsed': sampleView(
    fundedPayment('48.6', { ...PARTLY, rateLockedUntil: inMinutes(-1), repair: sampleRepair('rest_lapsed', '0.4') }),
  ),
  expired: sampleView(pinnedPayment({ paymentState: 'CANCELLED', cancelReason: 'expired' })),
  'late-counted': sampleView(fundedPayment('49', { paymentState: 'FILLED', late: true })),
  'late-held': sampleView(
    unappliedPayment({ reason: 'late' }, { paymentState: 'CANCELLED', cancelReason: 'expired', late: true }),
  ),
  superseded: sampleView(
    samplePayment({
      paymentState: 'CANCELLED',
      cancelReason: 'superseded',
      supersededBy: '0199f0b2-7d6e-7c3a-9b1e-3f6f5b1a2c4e',
    }),
  ),
  cancelled: sampleView(samplePayment({ paymentState: 'CANCELLED', cancelReason: 'merchant' })),
  'other-network': sampleView(unappliedPayment({ blockchainCode: 'POLYGON', reason: 'wrong_asset' })),
  'other-asset': sampleView(unappliedPayment({ currencyCode: 'DAI', reason: 'wrong_asset' })),
  unapplied: sampleView(unappliedPayment({ reason: 'unassigned' })),
  'on-hold': sampleView(
    fundedPayment('49', {
      ...ON_ITS_WAY,
      fundingState: 'confirming',
      deposits: HELD,
      repair: sampleRepair('on_hold', '49'),
    }),
  ),
  reverted: sampleView(pinnedPayment({ fundingState: 'reverted' })),
  unavailable: sampleView(samplePayment(), {
    options: OPTIONS.map((option) => ({
      ...option,
      ready: false,
      reason: 'There is no trustworthy price right now.',
      obstacle: 'price' as const,
    })),
  }),
} as const satisfies Record<string, CheckoutView>
