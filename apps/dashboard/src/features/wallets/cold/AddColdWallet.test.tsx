import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { me } from '../../../testing/answers.ts'
import { blockchain } from '../../../testing/install-answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../../testing/stub-server.ts'
import { AddColdWallet } from './AddColdWallet.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const NETWORKS = [
  blockchain({ id: 1, code: 'ETH', name: 'Ethereum' }),
  blockchain({ id: 2, code: 'BTC', name: 'Bitcoin', family: 'BTC_Family' }),
  blockchain({ id: 3, code: 'TRX', name: 'TRON', family: 'TRX_Family' }),
  blockchain({ id: 6, code: 'SOLANA', name: 'Solana', family: 'SOL_Family' }),
]

function open(blockchainCode?: string) {
  const calls = stubServer({
    'GET /member/me': () => me(),
    'GET /blockchains': () => NETWORKS,
    'POST /wallets/cold/eoa/blockchain/BTC': () => refusal(409, 'WALLET_EXISTS', 'It is there already.'),
  })
  const nothing = () => undefined
  renderScreen(<AddColdWallet blockchainCode={blockchainCode} onClose={nothing} />, '/manageWallet/deposit-wallet')
  return calls
}

const namesOf = ({ options }: HTMLSelectElement) => [...options].map(({ textContent }) => textContent)

describe('AddColdWallet', () => {
  it('offers each network whose deposits are moved, Bitcoin too, and shows the address to compare', async () => {
    const address = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
    const calls = open()
    await screen.findByRole('option', { name: 'Bitcoin' })
    const choice = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Network' })
    expect(namesOf(choice)).toEqual(['Ethereum', 'Bitcoin', 'TRON'])
    await userEvent.selectOptions(choice, 'Bitcoin')
    await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Vault')
    await userEvent.type(screen.getByRole('textbox', { name: 'Address' }), address)
    expect(screen.getByText('Compare every digit with your own wallet:')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Add cold wallet' }))
    expect(await screen.findByText('It is there already.')).toBeDefined()
    const sent = calls.find(({ method }) => method === 'POST')
    expect([sent?.path, sent?.body]).toEqual(['/wallets/cold/eoa/blockchain/BTC', { name: 'Vault', address }])
  })

  it('offers only the network that it is for', async () => {
    open('TRX')
    await screen.findByRole('option', { name: 'TRON' })
    expect(namesOf(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Network' }))).toEqual(['TRON'])
  })
})
