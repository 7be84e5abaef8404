import type { Wallet } from '@kassa/contract/wallets/schemas.ts'
import { t } from '@lingui/core/macro'
import { Ellipsis, List, Pencil, Power, Star, Trash2 } from 'lucide-react'
import { Suspense, useId, useState } from 'react'

import { failureOf } from '../../../api/form-failure.ts'
import { useWalletChanges } from '../../../api/hot-wallets.ts'
import { useCan } from '../../../api/me.ts'
import { useSearchState } from '../../../lib/navigation/search.ts'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { Menu, type MenuItem } from '../../../ui/actions/Menu.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { lazyLayer } from '../../../ui/overlays/lazy-load.ts'

const RenameWallet = lazyLayer(async () => ({ default: (await import('./RenameWallet.tsx')).RenameWallet }))
const endings = () => import('./WalletRemoval.tsx')
const DeactivateWallet = lazyLayer(async () => ({ default: (await endings()).DeactivateWallet }))
const DeleteWallet = lazyLayer(async () => ({ default: (await endings()).DeleteWallet }))

type Asked = 'rename' | 'deactivate' | 'delete'

export type WalletMenuProps = {
  readonly wallet: Wallet
  /** An active project gives its customers addresses of it. */
  readonly isUsed: boolean
}

/** What may be done to a deposit wallet as a whole; absent for those who may do nothing of it. */
export function WalletMenu({ wallet, isUsed }: WalletMenuProps) {
  const id = useId()
  const can = useCan()
  const [, setSearch] = useSearchState()
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const changes = useChangeItems({ wallet, isUsed }, setAsked)
  const addresses: MenuItem = {
    label: t`Show addresses`,
    icon: <List aria-hidden />,
    onSelect: () => setSearch({ open: String(wallet.id) }),
  }
  const items = [...(can('address:read') ? [addresses] : []), ...(can('wallet:write') ? changes : [])]
  if (items.length === 0) return null
  const label = t`Actions for ${wallet.name}`
  return (
    <>
      <IconButton label={label} icon={<Ellipsis aria-hidden />} popoverTarget={id} />
      <Menu id={id} label={label} items={items} atEnd />
      <Suspense>
        {asked === 'rename' && <RenameWallet wallet={wallet} onClose={close} />}
        {asked === 'deactivate' && <DeactivateWallet wallet={wallet} onClose={close} />}
        {asked === 'delete' && <DeleteWallet wallet={wallet} onClose={close} />}
      </Suspense>
    </>
  )
}

function useChangeItems({ wallet, isUsed }: WalletMenuProps, ask: (asked: Asked) => void): MenuItem[] {
  const { makeDefault, setStatus } = useWalletChanges()
  const { id, name, status, canDelete } = wallet
  const isActive = status === 'active'
  const run = async (work: Promise<unknown>, done: string) => {
    const failure = await failureOf(() => work)
    if (failure === undefined) toast.success(done)
    else toast.error(failure)
  }
  const off = wallet.default ? t`It is the default.` : t`Activate it first.`
  return [
    { label: t`Rename`, icon: <Pencil aria-hidden />, onSelect: () => ask('rename') },
    {
      label: t`Make default`,
      icon: <Star aria-hidden />,
      onSelect: () => void run(makeDefault(id), t`${name} is the default`),
      offReason: wallet.default || !isActive ? off : undefined,
    },
    isActive
      ? {
          label: t`Deactivate`,
          icon: <Power aria-hidden />,
          onSelect: () => ask('deactivate'),
          divided: true,
          offReason: isUsed ? t`Projects use it: link them to another wallet, or unlink them.` : undefined,
        }
      : {
          label: t`Activate`,
          icon: <Power aria-hidden />,
          onSelect: () => void run(setStatus(id, 'active'), t`${name} is active`),
          divided: true,
        },
    {
      label: t`Delete`,
      icon: <Trash2 aria-hidden />,
      onSelect: () => ask('delete'),
      danger: true,
      offReason: canDelete ? undefined : t`It is linked, or one of its addresses was given out.`,
    },
  ]
}
