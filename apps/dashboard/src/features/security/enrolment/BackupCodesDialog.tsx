import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useRef, useState } from 'react'

import { saveFile } from '../../../lib/device/save-file.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { CopyButton } from '../../../ui/actions/CopyButton.tsx'
import { Checkbox } from '../../../ui/fields/Checkbox.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'

/** Shows backup codes for the only time; it closes when the operator says that they are saved. */
export function BackupCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const [isSaved, setSaved] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const start = useRef<HTMLParagraphElement>(null)
  const leave = () => (isSaved ? onClose() : setAsking(true))
  const text = `${codes.join('\n')}\n`
  const foot = (
    <Button kind="primary" onClick={leave}>
      <Trans>Done</Trans>
    </Button>
  )
  return (
    <Dialog title={t`Backup codes`} size={560} initialFocus={start} onClose={leave} foot={foot}>
      <div className="flex flex-col gap-4">
        <p ref={start} tabIndex={-1} className="text-body outline-none">
          <Trans>
            Shown only now. Each signs you in once when the phone or the passkey is lost. Keep them where neither can be
            lost with them.
          </Trans>
        </p>
        <ul
          aria-label={t`Backup codes`}
          className="grid gap-x-6 gap-y-1 rounded-control border border-border bg-sunken px-3 py-2 font-mono text-dense sm:grid-cols-2"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-2">
          <CopyButton label={t`backup codes`} value={text} withText />
          <Button onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'kassa-backup-codes.txt')}>
            <Trans>Download</Trans>
          </Button>
          <Button onClick={() => window.print()}>
            <Trans>Print</Trans>
          </Button>
        </div>
        <div>
          <Checkbox label={t`I have saved them`} checked={isSaved} onChange={setSaved} />
          <p role="status" className="text-dense text-danger-text">
            {isAsking && !isSaved && t`Save them first, then tick the box: nobody can show them again.`}
          </p>
        </div>
      </div>
    </Dialog>
  )
}
