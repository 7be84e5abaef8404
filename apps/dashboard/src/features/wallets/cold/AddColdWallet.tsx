import { NewColdWallet } from '@kassa/contract/wallets/cold-routes.ts'
import { isSecret } from '@kassa/keys/secret-text.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { blockchainsQuery } from '../../../api/blockchains.ts'
import { useWalletChanges } from '../../../api/hot-wallets.ts'
import { useRequestForm } from '../../../api/request-form.ts'
import { fieldErrors } from '../../../lib/forms/field-errors.ts'
import { Address } from '../../../ui/facts/Address.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { Select } from '../../../ui/fields/Select.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { BITCOIN, EVM, TRON } from '../account/families.ts'

type Values = { name: string; address: string; blockchain: string }

/** The families whose deposits this install moves; those of Solana are moved by their own wallet. */
const MOVED: ReadonlySet<string> = new Set([EVM, TRON, BITCOIN])

/** What looks like an address of them: it is worth comparing. */
const ADDRESS =
  /^(?:0x[0-9a-fA-F]{40}|T[1-9A-HJ-NP-Za-km-z]{33}|[123mn][1-9A-HJ-NP-Za-km-z]{25,34}|(?:bc|tb|bcrt)1[02-9ac-hj-np-z]{11,71})$/

type Props = {
  /** The network it is for, where only one will do. */
  readonly blockchainCode?: string | undefined
  readonly onClose: () => void
}

/** Adds a cold wallet: an address of one network, checked before money is ever sent there. */
export function AddColdWallet({ blockchainCode, onClose }: Props) {
  const { addCold } = useWalletChanges()
  const { data: blockchains = [] } = useQuery(blockchainsQuery)
  const networks = blockchains.filter(
    ({ code, family, status }) =>
      MOVED.has(family) && status === 'active' && (blockchainCode === undefined || code === blockchainCode),
  )
  const first = networks[0]?.code ?? blockchainCode ?? 'ETH'
  const { form, failure } = useRequestForm<Values>(
    { name: '', address: '', blockchain: '' },
    ({ name, address }) =>
      isSecret(address)
        ? { address: t`This is a private key. Never paste it anywhere. Clear your clipboard.` }
        : fieldErrors(NewColdWallet, { name, address }),
    async ({ name, address, blockchain }) => {
      await addCold(blockchain || first, { name, address: address.trim() })
      toast.success(t`${name} was added`)
      onClose()
    },
  )
  const { address } = form.values
  return (
    <FormDialog
      title={t`Add cold wallet`}
      save={t`Add cold wallet`}
      sending={form.sending}
      failure={failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      <TextField {...form.field('name')} label={t`Name`} autoComplete="off" />
      <Select
        label={t`Network`}
        value={form.values.blockchain || first}
        onChange={(blockchain) => form.set({ blockchain })}
        options={networks.map(({ code, name }) => ({ value: code, label: name }))}
      />
      <TextField {...form.field('address')} label={t`Address`} autoComplete="off" />
      {ADDRESS.test(address.trim()) && (
        <p className="text-dense">
          <Trans>Compare every digit with your own wallet:</Trans>{' '}
          <Address value={address.trim()} full withCopy={false} />
        </p>
      )}
      <Banner tone="info">
        <Trans>On mainnet it is usable after 24 hours, and every root gets an e-mail.</Trans>
      </Banner>
    </FormDialog>
  )
}
