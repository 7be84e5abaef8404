import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { me } from '../../testing/answers.ts'
import { asset, blockchain } from '../../testing/install-answers.ts'
import { wirePage } from '../../testing/payment-answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../testing/stub-server.ts'
import type { Answers, SentCall } from '../../testing/stub-server.ts'
import { BlockchainDetail } from './BlockchainDetail.tsx'
import { Blockchains } from './Blockchains.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const base: Answers = {
  'GET /member/me': () => me(),
  'GET /blockchains': () => [blockchain()],
  'GET /blockchain-currency': () => [asset()],
  'PUT /blockchain/BASE': () => blockchain(),
}

async function show(answers: Answers = {}) {
  const calls = stubServer({ ...base, ...answers })
  renderScreen(<BlockchainDetail code="BASE" />, '/settings/blockchains/BASE')
  await screen.findByRole('button', { name: 'Save settings' })
  return calls
}

const bodies = (calls: readonly SentCall[]) =>
  calls.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/search')).map(({ body }) => body)
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }))
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

async function confirmations(text: string): Promise<void> {
  const field = screen.getByRole('spinbutton', { name: 'Confirmations' })
  await userEvent.clear(field)
  await userEvent.type(field, text)
  await press('Save settings')
}

describe('NetworkSettings', () => {
  it('saves more confirmations at once', async () => {
    const calls = await show()
    await confirmations('20')
    expect(await screen.findByText('Settings saved')).toBeDefined()
    expect(bodies(calls)).toEqual([{ minConfirmations: 20 }])
  })

  it('asks before fewer confirmations: money may be taken back', async () => {
    const calls = await show()
    await confirmations('3')
    const asked = await dialog('Fewer confirmations on Base?')
    expect(asked.getByText(/after 3 instead of 12 blocks/)).toBeDefined()
    expect(bodies(calls)).toEqual([])
    await userEvent.click(asked.getByRole('button', { name: 'Use fewer' }))
    expect(await screen.findByText('Settings saved')).toBeDefined()
    expect(bodies(calls)).toEqual([{ minConfirmations: 3 }])
  })

  it('takes in what somebody else saved meanwhile, keeps what was typed, and says so', async () => {
    let stored = {}
    const calls = await show({
      'GET /blockchains': () => [blockchain(stored)],
      'PUT /blockchain/BASE': ({ body }) => blockchain((stored = { ...stored, ...(body as object) })),
    })
    const confirmed = () => screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Confirmations' }).value
    const explorer = screen.getByRole<HTMLInputElement>('textbox', { name: 'Explorer for transactions' })
    await userEvent.clear(explorer)
    await userEvent.type(explorer, 'https://scan.example/{{tx}')
    stored = { minConfirmations: 30 }
    await userEvent.type(screen.getByRole('spinbutton', { name: 'From block' }), '1000')
    await press('Read again')
    await waitFor(() => expect(confirmed()).toBe('30'))
    expect(explorer.value).toBe('https://scan.example/{tx}')
    expect(screen.getByText(/^Somebody else changed this network meanwhile\./)).toBeDefined()
    await press('Save settings')
    expect(await screen.findByText('Settings saved')).toBeDefined()
    expect(bodies(calls).at(-1)).toEqual({ explorerTransaction: 'https://scan.example/{tx}' })
    await waitFor(() => expect(screen.queryByText(/^Somebody else changed/)).toBeNull())
  })

  it('shows the usual explorer again once the own one was emptied, and blames nobody', async () => {
    let stored = { explorerTransaction: 'https://scan.example/{tx}' }
    await show({
      'GET /blockchains': () => [blockchain(stored)],
      'PUT /blockchain/BASE': () => blockchain((stored = { explorerTransaction: 'https://usual.example/{tx}' })),
    })
    const explorer = screen.getByRole<HTMLInputElement>('textbox', { name: 'Explorer for transactions' })
    await userEvent.clear(explorer)
    await press('Save settings')
    await waitFor(() => expect(explorer.value).toBe('https://usual.example/{tx}'))
    expect(screen.queryByText(/^Somebody else changed/)).toBeNull()
  })

  it('keeps what it says of a text while it takes in what somebody else saved', async () => {
    let stored = {}
    await show({ 'GET /blockchains': () => [blockchain(stored)] })
    await userEvent.type(screen.getByRole('textbox', { name: 'Explorer for transactions' }), ' no link')
    await press('Save settings')
    expect(await screen.findByText(/must be an http or https address/)).toBeDefined()
    stored = { minConfirmations: 30 }
    await userEvent.type(screen.getByRole('spinbutton', { name: 'From block' }), '1000')
    await press('Read again')
    await waitFor(() => expect(screen.getByRole('spinbutton', { name: 'Confirmations' })).toHaveProperty('value', '30'))
    expect(screen.getByText(/must be an http or https address/)).toBeDefined()
  })

  it('refuses an explorer that is no address', async () => {
    const calls = await show()
    await userEvent.type(screen.getByRole('textbox', { name: 'Explorer for transactions' }), ' no link')
    await press('Save settings')
    expect(await screen.findByText(/must be an http or https address/)).toBeDefined()
    expect(bodies(calls)).toEqual([])
  })
})

describe('Rescan', () => {
  it('has blocks read again from one that was read', async () => {
    const calls = await show()
    const field = screen.getByRole('spinbutton', { name: 'From block' })
    await userEvent.type(field, '1203')
    await press('Read again')
    expect(screen.getByText(/Kassa has read up to block 1,202/)).toBeDefined()
    await userEvent.clear(field)
    await userEvent.type(field, '1000')
    await press('Read again')
    expect(await screen.findByText(/^Blocks 1,000 to 1,202 are read again/)).toBeDefined()
    expect(bodies(calls)).toEqual([{ rescan: true, height: 1000 }])
  })
})

describe('NetworkSwitch', () => {
  it('turns a network off after it said what that means, and how many payments wait', async () => {
    const calls = await show({
      'POST /external-platform/all/payment/search': () => wirePage([], { totalCount: 3 }),
    })
    await press('Turn off Base')
    const asked = await dialog('Turn off Base?')
    expect(
      await asked.findByText('3 payments wait for money on Base; nobody sees it arrive while it is off.'),
    ).toBeDefined()
    expect(calls.find(({ path }) => path.endsWith('/search'))?.body).toMatchObject({
      network: ['BASE'],
      paymentStatus: ['OPEN', 'PARTIALLY_FILLED'],
    })
    await userEvent.click(asked.getByRole('button', { name: 'Turn off' }))
    expect(await screen.findByText('Base is off')).toBeDefined()
    expect(bodies(calls)).toEqual([{ status: 'inactive' }])
  })

  it('says why a network cannot be turned on', async () => {
    await show({
      'GET /blockchains': () => [blockchain({ status: 'inactive', reason: 'Add a node.', rpcNodes: [] })],
      'PUT /blockchain/BASE': () => refusal(409, 'LAST_NODE', 'A blockchain needs one active node.'),
    })
    await press('Turn on Base')
    expect(await screen.findByText('A blockchain needs one active node.')).toBeDefined()
  })
})

describe('Assets', () => {
  it('switches payments off and says what happens to money that comes all the same', async () => {
    const calls = await show({ 'PUT /blockchain-currency/blockchain/BASE/currency/USDC': () => asset() })
    await userEvent.click(await screen.findByRole('button', { name: 'Edit USDC' }))
    const form = await dialog('USDC on Base')
    await userEvent.click(form.getByRole('checkbox', { name: /Customers may choose it/ }))
    expect(form.getByText(/is still seen and recorded/)).toBeDefined()
    await userEvent.click(form.getByRole('checkbox', { name: /Payouts may be asked for in it/ }))
    await userEvent.clear(form.getByRole('textbox', { name: 'Smallest payment' }))
    await userEvent.type(form.getByRole('textbox', { name: 'Smallest payment' }), '2.5')
    await userEvent.click(form.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('USDC on Base saved')).toBeDefined()
    expect(bodies(calls)).toEqual([{ depositEnabled: false, withdrawalEnabled: true, minDepositAmount: '2.5' }])
  })
})

describe('Blockchains', () => {
  it.each([
    ['Connected', {}],
    ['Off', { status: 'inactive', reason: 'Add a node.', rpcNodes: [] }],
    ['Stopped', { reason: 'The network went back further than 64 blocks.' }],
    ['Not read yet', { lagBlocks: null }],
    ['84 blocks behind', { lagBlocks: 84 }],
    ['Check', { notice: 'Nobody reads this network right now.' }],
  ])('lists a network that is %s', async (word, more) => {
    stubServer({ ...base, 'GET /blockchains': () => [blockchain(more)] })
    renderScreen(<Blockchains />, '/settings/blockchains')
    expect(await within(await screen.findByRole('row', { name: /Base/ })).findByText(word)).toBeDefined()
  })
})
