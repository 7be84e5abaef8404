import { DIAGNOSIS_VERDICTS } from '@kassa/contract/payments/diagnosis.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { type Decision, diagnose, type KnownDeposit, type Question, type Sighting } from './rules.ts'
import { operatorText } from './operator-text.ts'
import { payerText } from './payer-text.ts'

const OURS = '0x1111111111111111111111111111111111111111'
const STRANGER = '0x2222222222222222222222222222222222222222'
const CONTRACT = '0x3333333333333333333333333333333333333333'
const asked = { currencyCode: 'USDC', blockchainCode: 'ETH' }
const textFacts = { shop: 'Acme', asked, minimum: '0.5' }

const usdc = { currencyCode: 'USDC', blockchainCode: 'ETH', amount: '49', paidTo: OURS }

function deposit(more: Partial<KnownDeposit> = {}): KnownDeposit {
  return {
    id: 7n,
    paymentId: 1n,
    status: 'applied',
    reason: null,
    confirmations: 2,
    confirmationsRequired: 12,
    money: usdc,
    ...more,
  }
}

function sighting(more: Partial<Sighting> = {}): Sighting {
  return {
    blockchainCode: 'ETH',
    state: 'unknown',
    height: null,
    readTo: 100,
    confirmationsRequired: 12,
    transfers: [],
    foreign: [],
    ...more,
  }
}

const mined = (more: Partial<Sighting> = {}) => sighting({ state: 'included', height: 95, transfers: [usdc], ...more })

function question(more: Partial<Question> = {}): Question {
  return { payment: { id: 1n, asked }, addresses: new Set([OURS]), known: [], sightings: [sighting()], ...more }
}

const known = (more: Partial<KnownDeposit>) => question({ known: [deposit(more)] })
const seen = (...sightings: Sighting[]) => question({ sightings })
const onBase = { ...usdc, blockchainCode: 'BASE' }
const usdt = { ...usdc, currencyCode: 'USDT' }

/** What a transaction that pays the asker nothing can end with. */
const OF_STRANGERS = ['pending', 'failed_on_chain', 'replaced', 'wrong_address', 'chain_behind', 'not_found']

/** Row by row: what is known, the verdict, its cause, and words that the sentence must have. */
const ROWS: readonly [string, Question, Decision['verdict'], Decision['cause'], RegExp][] = [
  ['counted', known({}), 'credited', 'counted', /^49 USDC already paid this/],
  [
    'counted from another network',
    known({ reason: 'other_network', money: onBase }),
    'credited',
    'counted_elsewhere',
    /on Base, another network than asked, and counts/,
  ],
  ['seen', known({ status: 'seen' }), 'confirming', 'seen', /2 of 12 confirmations/],
  ['deep, not placed', known({ status: 'seen', confirmations: 12 }), 'confirming', 'seen', /updates by itself/],
  ['seen from elsewhere', known({ status: 'seen', reason: 'other_network' }), 'confirming', 'seen', /seen/],
  ['quarantined', known({ status: 'quarantined' }), 'held', 'quarantined', /someone at Acme is looking/],
  ['after the grace', known({ status: 'unapplied', reason: 'late' }), 'held', 'late', /after the time was up/],
  ['after the grace, fresh', known({ status: 'seen', reason: 'late' }), 'held', 'late', /Acme holds it for you/],
  [
    'another currency',
    known({ status: 'unapplied', reason: 'wrong_asset', money: usdt }),
    'wrong_token',
    'currency',
    /You sent USDT; Acme asked for USDC/,
  ],
  [
    'not accepted there',
    known({ status: 'unapplied', reason: 'wrong_asset', money: onBase }),
    'wrong_network',
    'unapplied',
    /It is on Base; this page asked for Ethereum/,
  ],
  [
    'an address of no customer',
    known({ paymentId: null, status: 'unapplied', reason: 'no_payment' }),
    'held',
    'unapplied',
    /does not count for this request by itself/,
  ],
  [
    'an address of no customer, fresh',
    known({ paymentId: null, status: 'seen', reason: 'no_payment' }),
    'held',
    'unapplied',
    /ask Acme/,
  ],
  ['another request’s', known({ paymentId: 2n }), 'not_yours', null, /another request/],
  ['dust', known({ status: 'ignored', reason: 'below_minimum' }), 'below_minimum', null, /minimum of 0\.5 USDC/],
  ['dust, fresh', known({ status: 'seen', reason: 'below_minimum' }), 'below_minimum', null, /below/],
  ['moved about', known({ status: 'ignored', reason: 'own' }), 'not_yours', null, /hash/],
  ['taken back, returning', known({ status: 'reverted' }), 'not_found', null, /Wait 5 minutes/],
  ['in the pool', seen(sighting({ state: 'pending' })), 'pending', null, /not yet in a block/],
  ['failed', seen(sighting({ state: 'failed', height: 95 })), 'failed_on_chain', null, /never left the sender/],
  ['its time over', seen(sighting({ state: 'expired' })), 'failed_on_chain', null, /rejected/],
  [
    'its place taken',
    seen(sighting({ state: 'replaced' })),
    'replaced',
    null,
    /place on Ethereum.* new hash: paste that one here\. Pay again only if nothing else was sent\.$/,
  ],
  ['ahead of us', seen(mined({ height: 114 })), 'chain_behind', 'behind', /14 blocks behind on Ethereum/],
  ['no answer', seen(sighting({ state: 'silent' })), 'chain_behind', 'silent', /does not answer us right now/],
  ['missed', seen(mined()), 'confirming', 'missed', /was not noticed here/],
  ['missed elsewhere', seen(mined({ blockchainCode: 'BASE', transfers: [onBase] })), 'wrong_network', 'missed', /Base/],
  ['missed of another kind', seen(mined({ transfers: [usdt] })), 'wrong_token', 'missed', /USDT/],
  [
    'a network that is not read',
    seen(mined({ blockchainCode: 'POLYGON', readTo: null, transfers: [{ ...usdc, blockchainCode: 'POLYGON' }] })),
    'wrong_network',
    'unwatched',
    /Nobody reads that network here/,
  ],
  [
    'an unlisted token',
    seen(mined({ transfers: [], foreign: [{ contract: CONTRACT, to: OURS }] })),
    'wrong_token',
    'contract',
    /contract 0x3333/,
  ],
  [
    'a stranger’s address',
    seen(mined({ transfers: [{ ...usdc, paidTo: STRANGER }] })),
    'wrong_address',
    null,
    /It went to 0x2222\d+, not to/,
  ],
  ['no money at all', seen(mined({ transfers: [] })), 'wrong_address', null, /right hash/],
  ['nowhere', seen(sighting(), sighting({ blockchainCode: 'BASE' })), 'not_found', null, /Exchanges often wait/],
]

describe('payments.diagnose', () => {
  it.each(ROWS)('%s', (_what, asks, verdict, cause, words) => {
    const decision = diagnose(asks)
    expect(decision).toMatchObject({ verdict, cause, isMissed: cause === 'missed' })
    expect(payerText(decision, textFacts)).toMatch(words)
  })

  it.each(ROWS)('%s, for an operator', (_what, asks) => {
    const text = operatorText(diagnose(asks), textFacts)
    expect(text).toMatch(/^[A-Z0-9].*\.$/)
    expect(text).not.toMatch(/\b(your wallet|You sent|ask Acme|for you|this page)\b/)
  })

  it('tells an operator what to do with unapplied deposits', () => {
    const say = (asks: Question) => operatorText(diagnose(asks), textFacts)
    expect(say(known({ status: 'quarantined' }))).toContain('then release it')
    expect(say(known({ status: 'unapplied', reason: 'late' }))).toBe(
      '49 USDC arrived after its payment had ended. It stays unmatched, for this customer: assign it to a payment, or send it back.',
    )
    expect(say(seen(mined({ transfers: [usdt] })))).toContain('is being read now')
  })

  it('has a row for every verdict', () => {
    expect([...new Set(ROWS.map(([, , verdict]) => verdict))].toSorted()).toEqual(DIAGNOSIS_VERDICTS.toSorted())
  })

  it('reports the payment’s own part of a transaction that paid several', () => {
    const parts = [deposit({ id: 1n, paymentId: 2n }), deposit({ id: 2n, paymentId: null, status: 'unapplied' })]
    expect(diagnose(question({ known: parts })).depositId).toBe(2n)
    expect(diagnose(question({ known: [...parts, deposit({ id: 3n })] })).depositId).toBe(3n)
  })

  it('believes money on one network before silence or failure on another', () => {
    const others = [sighting({ state: 'silent' }), sighting({ state: 'failed' }), sighting({ state: 'pending' })]
    expect(diagnose(seen(...others, mined())).verdict).toBe('confirming')
    expect(diagnose(seen(...others)).verdict).toBe('pending')
  })

  it('does not ask for a second payment while the replacement may pay', () => {
    const gone = [
      sighting({ state: 'failed', height: 95 }),
      sighting({ state: 'expired' }),
      sighting({ state: 'silent' }),
    ]
    const replaced = sighting({ state: 'replaced', blockchainCode: 'BASE' })
    expect(diagnose(seen(...gone, replaced))).toMatchObject({ verdict: 'replaced', blockchainCode: 'BASE' })
    expect(diagnose(seen(replaced, sighting({ state: 'pending' }))).verdict).toBe('pending')
    expect(diagnose(seen(replaced, mined())).verdict).toBe('confirming')
    const toStranger = mined({ transfers: [{ ...usdc, paidTo: STRANGER }] })
    expect(diagnose(seen(replaced, toStranger)).verdict).toBe('wrong_address')
  })

  it('never reports a missed transfer as confirmed, however deep it is', () => {
    expect(diagnose(seen(mined({ height: 1 })))).toMatchObject({ confirmations: 11, confirmationsRequired: 12 })
  })

  it('tells an operator what became of a transaction without a payment', () => {
    const alone = { payment: null, addresses: new Set([OURS]) }
    expect(diagnose({ ...alone, known: [deposit()], sightings: [] })).toMatchObject({ verdict: 'credited' })
    const unapplied = deposit({ paymentId: null, status: 'unapplied', reason: 'no_payment' })
    expect(diagnose({ ...alone, known: [unapplied], sightings: [] })).toMatchObject({ verdict: 'held', depositId: 7n })
    expect(diagnose({ ...alone, known: [], sightings: [mined({ transfers: [usdt] })] })).toMatchObject({
      verdict: 'confirming',
      isMissed: true,
    })
  })

  it('says nothing of money that is not the asker’s, whatever is found', () => {
    const money = fc.record({
      currencyCode: fc.constantFrom('USDC', 'ETH'),
      blockchainCode: fc.constantFrom('ETH', 'BASE'),
      amount: fc.constant('1'),
      paidTo: fc.constant(STRANGER),
    })
    const foreign = fc.array(fc.record({ contract: fc.constant(CONTRACT), to: fc.constant(STRANGER) }), {
      maxLength: 2,
    })
    const any = fc.record({
      blockchainCode: fc.constantFrom('ETH', 'BASE'),
      state: fc.constantFrom('unknown', 'pending', 'replaced', 'expired', 'failed', 'included', 'silent'),
      height: fc.option(fc.integer({ min: 0, max: 200 })),
      readTo: fc.option(fc.integer({ min: 0, max: 200 })),
      confirmationsRequired: fc.integer({ min: 1, max: 20 }),
      transfers: fc.array(money, { maxLength: 3 }),
      foreign,
    }) as fc.Arbitrary<Sighting>
    fc.assert(
      fc.property(fc.array(any, { maxLength: 3 }), (sightings) => {
        const { verdict, isMissed, depositId } = diagnose(question({ sightings }))
        expect(isMissed).toBe(false)
        expect(depositId).toBeNull()
        expect(OF_STRANGERS).toContain(verdict)
      }),
    )
  })
})
