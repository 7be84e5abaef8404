import type { Vault } from '@kassa/contract/vaults/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { count } from '../../lib/text/format.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'

export type VaultBannersProps = {
  readonly vaults: readonly Vault[]
  /** Absent for those who may not unlock. */
  readonly onUnlock: ((vault: Vault) => void) | undefined
}

/** Vaults that need a person, and the progress of work on vaults. */
export function VaultBanners({ vaults, onUnlock }: VaultBannersProps) {
  const locked = vaults.filter(({ status }) => status === 'locked')
  const damaged = vaults.filter(({ unreadableCount }) => unreadableCount > 0)
  const rotating = vaults.filter(({ rotation }) => rotation !== null)
  return (
    <div className="mb-4 flex flex-col gap-3 empty:hidden">
      {locked.map((vault) => (
        <Banner
          key={vault.id}
          tone="danger"
          action={
            onUnlock && (
              <Button size="small" onClick={() => onUnlock(vault)}>
                <Trans>Unlock</Trans>
              </Button>
            )
          }
        >
          {lockedText(vault)}
        </Banner>
      ))}
      {damaged.map((vault) => (
        <Banner key={vault.id} tone="danger">
          {damagedText(vault)}
        </Banner>
      ))}
      {rotating.map((vault) => (
        <RotationBanner key={vault.id} vault={vault} />
      ))}
    </div>
  )
}

function lockedText({ name, processes: { total, unlocked } }: Vault): string {
  if (unlocked === 0) return t`${name} is locked since the last start. Sending waits; watching goes on.`
  return t`${name} is locked in a part of Kassa that started later: ${unlocked} of ${total} processes can open it. Unlock it again to reach the rest.`
}

function damagedText({ name, unreadableCount }: Vault): string {
  const secrets = plural(unreadableCount, { one: '# secret', other: '# secrets' })
  return t`${secrets} of ${name} cannot be opened. Enter them again, or restore a backup. What else is stored is not affected.`
}

function RotationBanner({ vault }: { vault: Vault }) {
  const { done, total } = vault.rotation ?? { done: 0, total: 0 }
  const { name } = vault
  const [ready, all] = [count(done), count(total)]
  const text =
    vault.status === 'locked'
      ? t`Rotating ${name} waits until it is unlocked: ${ready} of ${all} secrets are under the new key.`
      : t`Rotating ${name}: ${ready} of ${all} secrets are under the new key. Everything works meanwhile.`
  return (
    <Banner tone="info">
      {text}
      <progress
        aria-label={t`Rotation of ${name}`}
        value={done}
        max={Math.max(total, 1)}
        className="mt-2 block h-1.5 w-full appearance-none overflow-hidden rounded-full border-0 bg-info-border [&::-moz-progress-bar]:bg-info-text [&::-webkit-progress-bar]:bg-info-border [&::-webkit-progress-value]:bg-info-text"
      />
    </Banner>
  )
}
