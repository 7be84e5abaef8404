import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { me } from '../../testing/answers.ts'
import { asset, blockchain, node } from '../../testing/install-answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../testing/stub-server.ts'
import type { Answers, SentCall } from '../../testing/stub-server.ts'
import { BlockchainDetail } from './BlockchainDetail.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const base: Answers = {
  'GET /member/me': () => me(),
  'GET /blockchains': () => [blockchain()],
  'GET /blockchain-currency': () => [asset()],
}
const two = { 'GET /blockchains': () => [blockchain({ rpcNodes: [node(1), node(2)], sourceCount: 2 })] }

function show(answers: Answers = {}) {
  const calls = stubServer({ ...base, ...answers })
  renderScreen(<BlockchainDetail code="base" />, '/settings/blockchains/base')
  return calls
}

const writes = (calls: readonly SentCall[]) => calls.filter(({ method }) => method !== 'GET')
const press = (name: string | RegExp) => screen.findByRole('button', { name }).then((found) => userEvent.click(found))
const dialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }))

async function choose(url: string, item: string): Promise<void> {
  await press(`Actions for ${url}`)
  const menu = within(screen.getByRole('menu', { name: `Actions for ${url}`, hidden: true }))
  await userEvent.click(menu.getByRole('menuitem', { name: item, hidden: true }))
}

describe('BlockchainDetail', () => {
  it('shows how far it is read, its nodes, and that one node can lie', async () => {
    show()
    expect(await screen.findByRole('heading', { level: 1, name: 'Base' })).toBeDefined()
    expect(await screen.findByText('One node can lie; add a second.')).toBeDefined()
    const row = within(screen.getByRole('row', { name: /node-1/ }))
    expect(row.getByText('96/100')).toBeDefined()
    expect(row.getByText('84 ms')).toBeDefined()
  })

  it('says nothing of lies while two operators can be compared', async () => {
    show(two)
    await screen.findByRole('row', { name: /node-2/ })
    expect(screen.queryByText(/can lie/)).toBeNull()
  })

  it('says in its own words why a network is not read, and what to know about it', async () => {
    const text = 'In another language.'
    const cause = { code: 'halted', params: { halt: { case: 'below_final', height: 1_200 } }, text }
    const noticeCause = { code: 'block_unreadable', params: { height: 1_100 }, text }
    const halted = blockchain({ reason: text, cause, notice: text, noticeCause })
    show({ 'GET /blockchains': () => [halted] })
    expect(await screen.findByText(/^The node replaced block 1200, which was final\./)).toBeDefined()
    expect(screen.getByText(/^Block 1100 could not be read as a whole/)).toBeDefined()
    expect(screen.queryByText(text)).toBeNull()
  })

  it('says that a network does not exist', async () => {
    stubServer(base)
    renderScreen(<BlockchainDetail code="DOGE" />, '/settings/blockchains/DOGE')
    expect(await screen.findByText('There is no network DOGE')).toBeDefined()
  })

  it('shows why it could not be loaded', async () => {
    show({ 'GET /blockchains': () => refusal(503, 'SERVICE_UNAVAILABLE', 'Try again in a moment.') })
    expect(await screen.findByText('Try again in a moment.')).toBeDefined()
    expect(screen.getByRole('heading', { level: 1, name: 'Base' })).toBeDefined()
  })

  it('only shows to those who may not change', async () => {
    show({ 'GET /member/me': () => me('project_manager') })
    expect(await screen.findByRole('button', { name: 'Test connection' })).toBeDefined()
    await screen.findByRole('row', { name: /USDC/ })
    for (const name of [/Add node/, /^Actions for/, /Save settings/, /Read again/, /Turn off/, /^Edit/]) {
      expect(screen.queryByRole('button', { name })).toBeNull()
    }
  })
})

describe('Nodes', () => {
  it('adds a node with its credentials', async () => {
    const calls = show({ 'POST /blockchain/BASE/nodes': () => Response.json(node(3), { status: 201 }) })
    await press('Add node')
    const form = await dialog('Add a node of Base')
    await userEvent.click(form.getByRole('button', { name: 'Add node' }))
    expect(form.getByText('URL is required')).toBeDefined()
    await userEvent.type(form.getByRole('textbox', { name: 'URL' }), 'https://rpc.example/v1')
    await userEvent.type(form.getByRole('textbox', { name: 'API key' }), 'k1')
    await userEvent.click(form.getByRole('button', { name: 'Add node' }))
    expect(await screen.findByText(/The node answers and serves Base/)).toBeDefined()
    expect(writes(calls)).toEqual([
      {
        method: 'POST',
        path: '/blockchain/BASE/nodes',
        body: { url: 'https://rpc.example/v1', priority: 0, apiKey: 'k1' },
      },
    ])
  })

  it('offers public nodes of other operators, explains what Bitcoin can be read by, and links test coins', async () => {
    const testnet = { id: 2, code: 'BTC', name: 'Bitcoin', family: 'BTC_Family', chainID: null, networkMode: 'testnet' }
    const calls = stubServer({
      ...base,
      'GET /blockchains': () => [blockchain({ ...testnet, rpcNodes: [node(1)] })],
      'POST /blockchain/BTC/nodes': () => Response.json(node(3), { status: 201 }),
    })
    renderScreen(<BlockchainDetail code="btc" />, '/settings/blockchains/btc')
    expect((await screen.findByRole('link', { name: /Get test coins/ })).getAttribute('href')).toMatch(
      /^https:.*faucet/,
    )
    await press('Add node')
    const form = await dialog('Add a node of Bitcoin')
    expect(form.getByText(/bitcoind, or the URL of an Esplora/)).toBeDefined()
    await userEvent.selectOptions(form.getByRole('combobox', { name: /Public node/ }), 'mempool.space')
    await userEvent.click(form.getByRole('button', { name: 'Add node' }))
    expect(await screen.findByText(/The node answers and serves Bitcoin/)).toBeDefined()
    const url = 'https://mempool.space/testnet4/api'
    expect(writes(calls)).toEqual([{ method: 'POST', path: '/blockchain/BTC/nodes', body: { url, priority: 0 } }])
  })

  it.each([
    ['NODE_WRONG_NETWORK', 'This node serves chain 11155111, not 8453.'],
    ['NODE_UNREACHABLE', 'This node did not answer: no answer in 10 s'],
    ['NODE_EXISTS', 'A node like this already exists.'],
  ])('says %s at the field, and keeps what was typed', async (code, message) => {
    show({ 'POST /blockchain/BASE/nodes': () => refusal(409, code, message) })
    await press('Add node')
    const form = await dialog('Add a node of Base')
    const url = form.getByRole('textbox', { name: 'URL' })
    await userEvent.type(url, 'https://rpc.example/v1')
    await userEvent.click(form.getByRole('button', { name: 'Add node' }))
    await form.findByText(message)
    expect(url.getAttribute('aria-invalid')).toBe('true')
    expect((url as HTMLInputElement).value).toBe('https://rpc.example/v1')
  })

  it('changes only what was changed; a secret that is not typed stays', async () => {
    const calls = show({ 'PUT /blockchain/BASE/nodes/1': () => node(1) })
    await choose('https://node-1.example/•••', 'Edit')
    const form = await dialog('Change this node')
    await userEvent.clear(form.getByRole('spinbutton', { name: 'Priority' }))
    await userEvent.type(form.getByRole('spinbutton', { name: 'Priority' }), '5')
    await userEvent.click(form.getByRole('button', { name: 'Save node' }))
    await screen.findByText('Node saved')
    expect(writes(calls)).toMatchObject([{ path: '/blockchain/BASE/nodes/1', body: { priority: 5 } }])
    expect(Object.keys(writes(calls)[0]?.body as object)).toEqual(['priority'])
  })

  it('keeps the last node, and says what to do first', async () => {
    const details = 'Add another node of Base first, or switch Base off.'
    show({
      'DELETE /blockchain/BASE/nodes/1': () =>
        refusal(409, 'LAST_NODE', 'A blockchain needs one active node.', { details }),
    })
    await choose('https://node-1.example/•••', 'Remove')
    const asked = await dialog('Remove node-1.example?')
    await userEvent.click(asked.getByRole('button', { name: 'Remove node' }))
    expect(await asked.findByText(`A blockchain needs one active node. ${details}`)).toBeDefined()
  })

  it('removes a node, and the list is without it', async () => {
    const nodes = [node(1), node(2)]
    const calls = show({
      'GET /blockchains': () => [blockchain({ rpcNodes: nodes })],
      'DELETE /blockchain/BASE/nodes/2': () => {
        nodes.pop()
        return { message: 'Removed.' }
      },
    })
    await choose('https://node-2.example/•••', 'Remove')
    const asked = await dialog('Remove node-2.example?')
    await userEvent.click(asked.getByRole('button', { name: 'Remove node' }))
    expect(await screen.findByText('Node removed')).toBeDefined()
    expect(screen.queryByRole('row', { name: /node-2/ })).toBeNull()
    expect(writes(calls)).toMatchObject([{ method: 'DELETE', path: '/blockchain/BASE/nodes/2' }])
  })

  it('turns a node off after it said what that means, and asks one first', async () => {
    const calls = show({ ...two, 'PUT /blockchain/BASE/nodes/2': () => node(2) })
    await choose('https://node-2.example/•••', 'Turn off')
    const asked = await dialog('Turn off node-2.example?')
    expect(asked.getByText(/nobody is left to compare it with/)).toBeDefined()
    await userEvent.click(asked.getByRole('button', { name: 'Turn off' }))
    await screen.findByText('The node is off')
    await choose('https://node-2.example/•••', 'Ask first')
    await screen.findByText('This node is asked first')
    expect(writes(calls).map(({ body }) => body)).toEqual([{ isActive: false }, { isPreferred: true }])
  })

  it('tests every node and shows what each answered', async () => {
    const tested = {
      connected: true,
      error: null,
      shortcoming: null,
      chainId: 8453,
      healthScore: 96,
      avgLatencyMs: 84,
      lastBlockSeen: 1_204,
      lastBlockTimestamp: null,
      consecutiveFails: 0,
    }
    show({
      'GET /blockchain/BASE/test-connection': () => ({
        success: true,
        nodes: [
          { ...tested, id: 1, url: 'https://node-1.example/•••' },
          { ...tested, id: 2, url: 'https://node-2.example/•••', connected: false, error: 'refused the call: 401' },
        ],
      }),
    })
    await press('Test connection')
    expect(await screen.findByText('1 of 2 nodes answer.')).toBeDefined()
    const lines = screen.getAllByText(/node-[12].example/).map(({ parentElement }) => parentElement?.textContent)
    expect(lines).toContain('https://node-1.example/•••: answers · 84 ms · chain 8453 · block 1,204')
    expect(lines).toContain('https://node-2.example/•••: refused the call: 401')
  })

  it('warns of a node that hides what contracts pass on', async () => {
    const node = { id: 1, url: 'https://node-1.example/•••', connected: true, error: null, chainId: null }
    const health = {
      healthScore: 96,
      avgLatencyMs: 84,
      lastBlockSeen: 1_204,
      lastBlockTimestamp: null,
      consecutiveFails: 0,
    }
    show({
      'GET /blockchain/BASE/test-connection': () => ({
        success: true,
        nodes: [{ ...node, ...health, shortcoming: 'internal_transfers' }],
      }),
    })
    await press('Test connection')
    expect(await screen.findByText(/vm\.saveInternalTx/)).toBeDefined()
  })
})
