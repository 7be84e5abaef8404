import type { ReadPaymentPolicy } from '@kassa/contract/projects/payment-policy.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { me, paymentPolicy, project } from '../../../testing/answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../../testing/stub-server.ts'
import type { Answers } from '../../../testing/stub-server.ts'
import { ProjectSettings } from '../ProjectSettings.tsx'

const PATH = '/external-platform/7/payment-policy'

const confirmationRules = [{ blockchainCode: 'BASE', upToUSD: '50.00', confirmations: 3 }]

const wire = (more: Partial<ReadPaymentPolicy> = {}) => ({
  ...paymentPolicy,
  confirmationRules,
  ...more,
})

// What is loaded when it is first asked for is there at once.
beforeAll(() => import('./PaymentPolicyTab.tsx'))
beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function open(answers: Answers = {}, role = 'root') {
  const calls = stubServer({
    'GET /member/me': () => me(role),
    'GET /external-platform/7': () => project(7, 'Acme'),
    [`GET ${PATH}`]: () => wire(),
    ...answers,
  })
  const history = renderScreen(<ProjectSettings projectId="7" />, '/settings/account/7?tab=checkout')
  return { history, sent: () => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body) }
}

const field = (name: string) => screen.findByRole('textbox', { name })

async function retype(element: HTMLElement, text: string) {
  await userEvent.clear(element)
  await userEvent.type(element, text)
}

describe('payment policy', () => {
  it('says what each rule means, as it is typed', async () => {
    open()
    const under = await field('Underpayment tolerance')
    expect(screen.getByText('With 0.5% a payment of $99.50 counts for $100.00.')).toBeDefined()
    await retype(under, '2.25')
    expect(screen.getByText('With 2.25% a payment of $97.75 counts for $100.00.')).toBeDefined()
    expect(screen.getByText(/^Money up to 24 hours after the end still counts\./)).toBeDefined()
  })

  it('saves what was changed and nothing else', async () => {
    const { sent } = open({
      [`PUT ${PATH}`]: () => wire({ overpaidTolerancePercent: '3', applyUnappliedToNext: true }),
    })
    await retype(await field('Overpayment tolerance'), '3')
    await userEvent.click(screen.getByRole('checkbox', { name: /Apply unmatched funds to the next payment/ }))
    expect(screen.getByText('2 changes')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Save changes' }))
    expect(await screen.findByText('Payment policy saved')).toBeDefined()
    expect(sent()).toEqual([{ overpaidTolerancePercent: '3', applyUnappliedToNext: true }])
    expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull()
  })

  it('turns reminders off', async () => {
    const { sent } = open({ [`PUT ${PATH}`]: () => wire({ reminderMail: false }) })
    const reminders = await screen.findByRole<HTMLInputElement>('checkbox', { name: /Remind customers of open links/ })
    expect(reminders.checked).toBe(true)
    await userEvent.click(reminders)
    await userEvent.click(screen.getByRole('button', { name: 'Save changes' }))
    await waitFor(() => expect(sent()).toEqual([{ reminderMail: false }]))
  })

  it('adds and removes confirmation rules', async () => {
    const { sent } = open({ [`PUT ${PATH}`]: () => wire() })
    await userEvent.click(await screen.findByRole('button', { name: 'Remove rule 1' }))
    await userEvent.click(screen.getByRole('button', { name: 'Add rule' }))
    await userEvent.click(screen.getByRole('button', { name: 'Remove rule 1' }))
    expect(screen.getByText(/^No rule of your own/)).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Save changes' }))
    await waitFor(() => expect(sent()).toEqual([{ confirmationRules: [] }]))
  })

  it('changes a rule to the network’s own word', async () => {
    const { sent } = open({ [`PUT ${PATH}`]: () => wire() })
    const rule = await screen.findByRole('group', { name: 'Rule 1' })
    await userEvent.selectOptions(within(rule).getByRole('combobox', { name: 'Counts' }), 'When finalized')
    await userEvent.click(screen.getByRole('button', { name: 'Save changes' }))
    const wanted = { blockchainCode: 'BASE', upToUSD: '50.00', confirmations: 'finalized' }
    await waitFor(() => expect(sent()).toEqual([{ confirmationRules: [wanted] }]))
  })

  it('shows what is wrong at its field, rules included, before anything is sent', async () => {
    const { sent } = open()
    await retype(await field('Underpayment tolerance'), '50')
    const rule = screen.getByRole('group', { name: 'Rule 1' })
    await userEvent.clear(within(rule).getByRole('textbox', { name: 'Money up to' }))
    await userEvent.click(screen.getByRole('button', { name: 'Save changes' }))
    expect(await screen.findByText('Underpayment tolerance must be between 0 and 20')).toBeDefined()
    expect(within(rule).getByText('Amount of a confirmation rule must be a decimal number')).toBeDefined()
    expect(sent()).toEqual([])
  })

  it('puts the server’s refusal at its field', async () => {
    const message = 'Largest amount must not be below the smallest'
    open({
      [`PUT ${PATH}`]: () => refusal(400, 'VALIDATION_FAILED', message, { fields: { maxAmountInUSD: message } }),
    })
    await retype(await field('Largest amount'), '1')
    await userEvent.click(screen.getByRole('button', { name: 'Save changes' }))
    expect(await screen.findByText(message)).toBeDefined()
  })

  it('asks before changes are lost to another tab', async () => {
    const { history } = open()
    await retype(await field('Overpayment tolerance'), '3')
    await userEvent.click(screen.getByRole('tab', { name: 'Project details' }))
    expect(await screen.findByRole('dialog', { name: 'Leave without saving?' })).toBeDefined()
    expect(history.location.search).toBe('?tab=checkout')
  })

  it('is read by those who may not change it', async () => {
    open({}, 'auditor')
    expect(await screen.findByText('Changing it needs project:update. Ask an administrator.')).toBeDefined()
    expect(screen.getByText('Base, up to $50.00: 3 blocks')).toBeDefined()
    expect(screen.queryByRole('textbox')).toBeNull()
  })

  it('offers another try when it cannot be loaded', async () => {
    open({ [`GET ${PATH}`]: () => refusal(500, 'INTERNAL_ERROR', 'Something broke on our side.') })
    expect(await screen.findByText('The payment policy couldn’t be loaded')).toBeDefined()
  })
})
