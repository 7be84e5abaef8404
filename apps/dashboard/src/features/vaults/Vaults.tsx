import type { Vault } from '@kassa/contract/vaults/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Lock, LockOpen, Pencil, Plus, RefreshCw, Star, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'

import { failureOf } from '../../api/form-failure.ts'
import { useCan } from '../../api/me.ts'
import { asRequestError } from '../../api/request-error.ts'
import { useVaultChanges, vaultsQuery } from '../../api/vaults.ts'
import { count } from '../../lib/text/format.ts'
import { Button } from '../../ui/actions/Button.tsx'
import type { MenuItem } from '../../ui/actions/Menu.tsx'
import { StatusBadge } from '../../ui/facts/StatusBadge.tsx'
import { None } from '../../ui/facts/None.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import type { Column } from '../../ui/list/columns.ts'
import { ConsequencesDialog } from '../../ui/overlays/ConsequencesDialog.tsx'
import { lazyLayer } from '../../ui/overlays/lazy-load.ts'
import { EmptyState } from '../../ui/places/EmptyState.tsx'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { TimeAgo } from '../../ui/time/TimeAgo.tsx'
import { SecretsTable } from './SecretsTable.tsx'
import { VaultActivities } from './VaultActivities.tsx'
import { VaultBanners } from './VaultBanners.tsx'
import { opensWith } from './vault-words.ts'

const forms = () => import('./VaultForms.tsx')
const NewVault = lazyLayer(async () => ({ default: (await forms()).NewVault }))
const UnlockVault = lazyLayer(async () => ({ default: (await forms()).UnlockVault }))
const ChangePassphrase = lazyLayer(async () => ({ default: (await forms()).ChangePassphrase }))
const RenameVault = lazyLayer(async () => ({ default: (await forms()).RenameVault }))

/** That of the server, which is always there. */
const FIRST_VAULT = 1

type Action = 'unlock' | 'passphrase' | 'rename' | 'rotate' | 'delete'
type Open = { readonly action: 'new' } | { readonly action: Action; readonly vault: Vault }

/** Which secrets the server holds, in which vault, and what opens it; never what they are. */
export function Vaults() {
  const mayWrite = useCan()('vault:write')
  const { data: vaults, error, refetch } = useQuery(vaultsQuery)
  const [open, setOpen] = useState<Open>()
  const [chosen, setChosen] = useState<number>()
  const { lock, change } = useVaultChanges()
  const close = () => setOpen(undefined)
  const show = (action: Action, vault: Vault) => () => setOpen({ action, vault })
  const run = async (work: Promise<unknown>, done: string) => {
    const failure = await failureOf(() => work)
    if (failure === undefined) toast.success(done)
    else toast.error(failure)
  }
  const menu = (vault: Vault): MenuItem[] => {
    const { id, provider, isDefault, name } = vault
    const own: MenuItem[] = [
      { label: t`Unlock`, icon: <LockOpen aria-hidden />, onSelect: show('unlock', vault) },
      { label: t`Lock`, icon: <Lock aria-hidden />, onSelect: () => void run(lock(id), t`${name} is locked`) },
      { label: t`Change passphrase`, icon: <KeyRound aria-hidden />, onSelect: show('passphrase', vault) },
    ]
    return [
      ...(provider === 'passphrase' ? own : []),
      { label: t`Rotate`, icon: <RefreshCw aria-hidden />, onSelect: show('rotate', vault) },
      {
        label: t`Make default`,
        icon: <Star aria-hidden />,
        onSelect: () => void run(change(id, { isDefault: true }), t`${name} is the default`),
        offReason: isDefault ? t`It is the default.` : undefined,
      },
      { label: t`Rename`, icon: <Pencil aria-hidden />, onSelect: show('rename', vault) },
      {
        label: t`Delete`,
        icon: <Trash2 aria-hidden />,
        onSelect: show('delete', vault),
        danger: true,
        divided: true,
        offReason: undeletable(vault),
      },
    ]
  }
  const first = vaults?.[0]
  const shown = vaults?.find(({ id }) => id === chosen) ?? vaults?.find(({ isDefault }) => isDefault) ?? first
  return (
    <>
      <PageHead
        title={t`Vault`}
        text={t`Passwords and keys that Kassa holds, sealed. Nobody can read them here.`}
        primary={
          mayWrite && (
            <Button kind="primary" icon={<Plus aria-hidden />} onClick={() => setOpen({ action: 'new' })}>
              <Trans>New vault</Trans>
            </Button>
          )
        }
      />
      {vaults && <VaultBanners vaults={vaults} onUnlock={mayWrite ? (vault) => show('unlock', vault)() : undefined} />}
      <DataTable
        caption={t`Vaults`}
        columns={vaultColumns()}
        rows={vaults}
        rowKey={({ id }) => String(id)}
        rowName={({ name }) => name}
        menu={mayWrite ? menu : undefined}
        error={error === null ? null : asRequestError(error)}
        onRetry={() => void refetch()}
        empty={<EmptyState title={t`No vaults`} />}
      />
      {vaults && shown && (
        <section className="mt-6">
          <h2 className="mb-3 text-h3 font-semibold">
            <Trans>Secrets</Trans>
          </h2>
          <SecretsTable vaults={vaults} vaultId={shown.id} onChoose={setChosen} />
        </section>
      )}
      <VaultActivities vaults={vaults} />
      <Suspense>
        {open?.action === 'new' && first && <NewVault serverProvider={first.provider} onClose={close} />}
        {open?.action === 'unlock' && <UnlockVault vault={open.vault} onClose={close} />}
        {open?.action === 'passphrase' && <ChangePassphrase vault={open.vault} onClose={close} />}
        {open?.action === 'rename' && <RenameVault vault={open.vault} onClose={close} />}
      </Suspense>
      {open?.action === 'rotate' && <RotateVault vault={open.vault} onClose={close} />}
      {open?.action === 'delete' && <DeleteVault vault={open.vault} onClose={close} />}
    </>
  )
}

function undeletable({ id, isDefault, secretCount }: Vault): string | undefined {
  if (id === FIRST_VAULT) return t`The server itself needs it.`
  if (secretCount > 0) return t`The vault still holds secrets.`
  return isDefault ? t`Make another vault the default before you delete this one.` : undefined
}

function vaultColumns(): Column<Vault>[] {
  return [
    {
      key: 'name',
      label: t`Vault`,
      card: 'title',
      cell: ({ name, isDefault }) => (
        <span className="flex min-w-0 flex-wrap items-center gap-2">
          <span className="min-w-0 break-words">{name}</span>
          {isDefault && <StatusBadge tone="neutral" word={t`Default`} />}
        </span>
      ),
    },
    {
      key: 'status',
      label: t`Status`,
      card: 'badge',
      cell: ({ status }) =>
        status === 'locked' ? (
          <StatusBadge tone="danger" word={t`Locked`} wire={status} />
        ) : (
          <StatusBadge tone="success" word={t`Unlocked`} wire={status} />
        ),
    },
    { key: 'provider', label: t`Opened by`, card: 'line', cell: opensWith },
    {
      key: 'secretCount',
      label: t`Secrets`,
      card: 'foot',
      cardLabel: true,
      cell: ({ secretCount }) => count(secretCount),
    },
    { key: 'keyVersion', label: t`Key`, card: 'foot', cardLabel: true, shrink: 2, cell: (vault) => keyText(vault) },
    {
      key: 'lastUsedAt',
      label: t`Last used`,
      card: 'foot',
      cardLabel: true,
      shrink: 1,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? <None /> : <TimeAgo at={lastUsedAt} />),
    },
  ]
}

function keyText({ keyVersion }: Vault): string {
  return t({ message: `No. ${keyVersion}`, comment: 'how often the key of a vault was renewed' })
}

function RotateVault({ vault: { id, name }, onClose }: { vault: Vault; onClose: () => void }) {
  const { rotate } = useVaultChanges()
  return (
    <ConsequencesDialog
      title={t`Rotate the vault ${name}`}
      consequences={[
        t`The vault gets a new key, and each of its secrets is encrypted anew.`,
        t`Everything works meanwhile. If the server stops, it continues where it was.`,
        t`The master key and a passphrase stay as they are.`,
      ]}
      action={t`Rotate`}
      danger={false}
      onConfirm={async () => {
        const failure = await failureOf(() => rotate(id))
        if (failure === undefined) toast.success(t`Rotation started`)
        return failure
      }}
      onClose={onClose}
    />
  )
}

function DeleteVault({ vault: { id, name }, onClose }: { vault: Vault; onClose: () => void }) {
  const { remove } = useVaultChanges()
  return (
    <ConsequencesDialog
      title={t`Delete the vault ${name}`}
      consequences={[t`It is empty: no secret is lost.`]}
      action={t`Delete vault`}
      onConfirm={async () => {
        const failure = await failureOf(() => remove(id))
        if (failure === undefined) toast.success(t`Vault deleted`)
        return failure
      }}
      onClose={onClose}
    />
  )
}
