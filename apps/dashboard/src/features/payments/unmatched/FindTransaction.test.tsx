import { MissedTransactionAnswer } from '@kassa/contract/payments/diagnosis.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { encode } from 'zod/mini'
import type * as z from 'zod/mini'

import { me } from '../../../testing/answers.ts'
import { blockchain } from '../../../testing/install-answers.ts'
import { deposit, reference } from '../../../testing/payment-answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../../testing/stub-server.ts'
import type { Answers, SentCall } from '../../../testing/stub-server.ts'
import { FindTransaction } from './FindTransaction.tsx'

const FIND = '/external-platform/7/missed-deposit'
const HASH = `0x${'ab'.repeat(32)}`

function answer(more: Partial<z.output<typeof MissedTransactionAnswer>> = {}) {
  return encode(MissedTransactionAnswer, {
    verdict: 'held',
    text: '49 USDC arrived after the time was up.',
    confirmations: 12,
    confirmationRequired: 12,
    blockchainCode: 'BASE',
    currencyCode: 'USDC',
    amount: '49',
    paidTo: deposit().toAddress,
    depositAddress: null,
    explorerTransaction: null,
    deposit: deposit({ status: 'unapplied', reason: 'late', referenceID: null }),
    ...more,
  })
}

// What is loaded when it is first asked for is there at once.
beforeAll(() => import('./FindTransactionDialog.tsx'))
beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

type Setting = { readonly projectId?: string; readonly referenceID?: string; readonly more?: Answers }

function open(find: (call: SentCall) => unknown, { projectId = '7', referenceID = '', more = {} }: Setting = {}) {
  const calls = stubServer({
    ...more,
    'GET /member/me': () => me(),
    [`POST ${FIND}`]: find,
    'POST /missed-deposit': find,
  })
  const onClose = vi.fn<() => void>()
  renderScreen(
    <FindTransaction projectId={projectId} onClose={onClose} {...(referenceID !== '' && { referenceID })} />,
    '/project/7/payments/allPayments',
  )
  return { onClose, sent: () => calls.filter(({ method }) => method === 'POST') }
}

const ask = async (hash = HASH) => {
  const dialog = await screen.findByRole('dialog', { name: 'Find a transaction' })
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Transaction hash' }), `${hash}{Enter}`)
  return dialog
}

describe('find a transaction', () => {
  it('gives the verdict of the chain with its evidence, and the press that fits', async () => {
    const { sent } = open(() => answer(), { referenceID: reference(1) })
    const dialog = await ask()
    const outcome = within(dialog).getByRole('status', { name: 'Outcome' })
    expect(await within(outcome).findByText('49 USDC arrived after the time was up.')).toBeDefined()
    expect(outcome.textContent).toMatch(/Base.*49\sUSDC.*0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed.*12 of 12/)
    expect(sent().map(({ body }) => body)).toEqual([{ txHash: HASH, referenceID: reference(1) }])
    await userEvent.click(within(outcome).getByRole('button', { name: 'Assign to payment…' }))
    expect(await screen.findByRole('dialog', { name: 'Assign to a payment' })).toBeDefined()
  })

  it('leads to the payment that got the money', async () => {
    open(() => answer({ verdict: 'credited', deposit: deposit() }))
    const dialog = await ask()
    const link = await within(dialog).findByRole('link', { name: 'Open the payment' })
    expect(link.getAttribute('href')).toBe(`/project/7/payments/allPayments?open=${reference(1)}`)
    expect(within(dialog).queryByRole('button', { name: 'Assign to payment…' })).toBeNull()
  })

  it('says what to do when no network knows it, and looks again', async () => {
    const details = 'No network we watch knows this hash yet. Wait 5 minutes and check the hash.'
    const { sent } = open(() =>
      refusal(404, 'TRANSACTION_NOT_FOUND', 'No such transaction on this blockchain.', { details }),
    )
    const dialog = await ask()
    expect(await within(dialog).findByText(details)).toBeDefined()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Look again' }))
    await waitFor(() => expect(sent()).toHaveLength(2))
  })

  it('asks for the hash before anything is sent', async () => {
    const { sent } = open(() => answer())
    const dialog = await ask(' ')
    expect(await within(dialog).findByText('Transaction hash is required')).toBeDefined()
    expect(sent()).toEqual([])
  })

  it('asks in all projects without naming one', async () => {
    const { sent } = open(() => answer(), { projectId: 'all' })
    await ask()
    await waitFor(() => expect(sent().map(({ path }) => path)).toEqual(['/missed-deposit']))
  })
})

describe('the networks to look in', () => {
  const asset = (id: number, blockchainCode: string, network: string) => ({
    id,
    blockchainCode,
    network,
    currencyCode: 'USDC',
    currency: 'USD Coin',
    tokenAddress: '',
    standard: 'ERC20',
    walletPrecision: 6,
    family: 'ETH_Family',
    blockchainID: id,
    currencyID: 1,
  })

  it('are those that are read', async () => {
    const more = {
      'GET /currencies': () => [asset(4, 'BASE', 'Base'), asset(5, 'POLYGON', 'Polygon')],
      'GET /blockchains': () => [
        blockchain(),
        blockchain({ id: 5, code: 'POLYGON', name: 'Polygon', status: 'inactive' }),
      ],
    }
    open(() => answer(), { more })
    const field = within(await screen.findByRole('combobox', { name: 'Network' }))
    expect(await field.findByRole('option', { name: 'Base' })).toBeDefined()
    await waitFor(() => expect(field.queryByRole('option', { name: 'Polygon' })).toBeNull())
  })
})
