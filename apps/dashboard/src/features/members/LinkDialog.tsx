import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { timeAgo } from '../../lib/time/time.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { CopyButton } from '../../ui/actions/CopyButton.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'

export type ShownLink = { readonly email: string; readonly url: string; readonly expiresAt: Date }

/** Shows a link for the only time: this server cannot send it. */
export function LinkDialog({ link, onClose }: { link: ShownLink; onClose: () => void }) {
  const { email, url, expiresAt } = link
  const end = timeAgo(expiresAt, new Date())
  const foot = (
    <Button kind="primary" onClick={onClose}>
      <Trans>Done</Trans>
    </Button>
  )
  return (
    <Dialog title={t`Link for ${email}`} onClose={onClose} foot={foot}>
      <div className="flex flex-col gap-4">
        <p className="text-body">
          <Trans>
            It is shown only now. Hand it over yourself; the person who opens it chooses the password. It works once and
            runs out {end}.
          </Trans>
        </p>
        <div className="flex flex-wrap items-center gap-2">
          <code
            aria-label={t`Link`}
            className="min-w-0 flex-1 basis-60 rounded-control border border-border bg-sunken px-3 py-2 font-mono text-dense break-all"
          >
            {url}
          </code>
          <CopyButton label={t`link`} value={url} withText />
        </div>
      </div>
    </Dialog>
  )
}
