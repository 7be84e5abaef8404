import type { Worker } from '@kassa/contract/workers/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { failureOf } from '../../../api/form-failure.ts'
import { useRestartWorker } from '../../../api/workers.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { toast } from '../../../ui/feedback/toast.ts'

/** Asks before a worker begins again, and says what came of it. */
export function RestartDialog({ worker: { name }, onClose }: { worker: Worker; onClose: () => void }) {
  const restart = useRestartWorker()
  const [failure, setFailure] = useState<string>()
  const confirm = async () => {
    const text = await failureOf(async () => {
      toast.success(await restart(name))
      onClose()
    })
    setFailure(text)
  }
  return (
    <ConfirmDialog title={t`Restart ${name}?`} action={t`Restart`} danger={false} onConfirm={confirm} onClose={onClose}>
      <div className="flex flex-col gap-3">
        {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
        <p>
          <Trans>
            It ends what it is doing and begins again, in every process that runs it. Nothing is lost: what it does not
            finish is done again.
          </Trans>
        </p>
      </div>
    </ConfirmDialog>
  )
}
