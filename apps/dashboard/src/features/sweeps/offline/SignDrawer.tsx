import type { OfflineBatchDetail } from '@kassa/contract/sweeps/offline-schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { FileDown } from 'lucide-react'
import { useState } from 'react'

import { batchQuery, useBatchChanges } from '../../../api/offline-sweeps.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { saveFile } from '../../../lib/device/save-file.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { CopyButton } from '../../../ui/actions/CopyButton.tsx'
import { Address } from '../../../ui/facts/Address.tsx'
import { Amount } from '../../../ui/facts/Amount.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { QRCode } from '../../../ui/facts/QRCode.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { LoadingText, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { FileField } from '../../../ui/fields/FileField.tsx'
import { TextArea } from '../../../ui/fields/TextArea.tsx'
import { Drawer } from '../../../ui/overlays/Drawer.tsx'
import { ErrorState } from '../../../ui/places/ErrorState.tsx'
import { ReleaseDialog } from '../history/ReleaseDialog.tsx'
import { fitsCode, psbtFile, readPsbt } from './psbt-file.ts'

/** One batch on its way to a wallet and back: as a file, as text or as a code. */
export function SignDrawer({ id, maySweep, onClose }: { id: number; maySweep: boolean; onClose: () => void }) {
  const { data: batch, error, refetch } = useQuery(batchQuery(id))
  const [isReleasing, setReleasing] = useState(false)
  const isPending = batch?.status === 'pending'
  const foot = maySweep && isPending && batch.expiresAt !== null && (
    <Button onClick={() => setReleasing(true)}>
      <Trans>Release</Trans>
    </Button>
  )
  return (
    <Drawer title={t`Sign this batch`} onClose={onClose} foot={foot}>
      {batch === undefined && error === null && (
        <>
          <Skeleton height={220} />
          <LoadingText text={t`Loading the batch`} />
        </>
      )}
      {batch === undefined && error !== null && (
        <ErrorState
          title={t`The batch couldn’t be loaded`}
          error={asRequestError(error)}
          onRetry={() => void refetch()}
        />
      )}
      {batch !== undefined && (
        <div className="flex flex-col gap-6">
          <Facts batch={batch} />
          {isPending ? (
            <>
              <HandOut batch={batch} />
              {maySweep && <TakeBack id={id} onTaken={onClose} />}
            </>
          ) : (
            <Banner tone="success">{t`This batch is signed. The page History follows it.`}</Banner>
          )}
        </div>
      )}
      {isReleasing && <ReleaseBatch id={id} onReleased={onClose} onClose={() => setReleasing(false)} />}
    </Drawer>
  )
}

function Facts({ batch: { blockchainCode, total, fee, destination, numberOfUTXOs } }: { batch: OfflineBatchDetail }) {
  return (
    <KeyValue
      rows={[
        { label: t`Network`, value: networkName(blockchainCode) },
        { label: t`Amount`, value: <Amount value={total} currency={blockchainCode} full /> },
        { label: t`Coins`, value: String(numberOfUTXOs) },
        { label: t`Network fee, part of the amount`, value: <Amount value={fee} currency={blockchainCode} full /> },
        { label: t`To`, value: <Address value={destination} full /> },
      ]}
    />
  )
}

function HandOut({ batch: { id, psbt } }: { batch: OfflineBatchDetail }) {
  return (
    <section aria-label={t`To your wallet`} className="flex flex-col gap-3">
      <p className="text-body text-muted">
        <Trans>
          Open the batch in the wallet that has the seed. Before you sign, compare the address it shows with the one
          above, character by character: it is your cold wallet.
        </Trans>
      </p>
      <div className="flex flex-wrap gap-3">
        <Button
          icon={<FileDown aria-hidden strokeWidth={1.75} />}
          onClick={() => saveFile(psbtFile(psbt), `kassa-batch-${id}.psbt`)}
        >
          <Trans>Download batch</Trans>
        </Button>
        <CopyButton label={t`batch`} value={psbt} withText />
      </div>
      {fitsCode(psbt) ? (
        <QRCode value={psbt} label={t`this batch`} size={264} />
      ) : (
        <p className="text-dense text-muted">{t`It is too long for a QR code: carry the file.`}</p>
      )}
    </section>
  )
}

function TakeBack({ id, onTaken }: { id: number; onTaken: () => void }) {
  const { post } = useBatchChanges()
  const [file, setFile] = useState<File>()
  const [text, setText] = useState('')
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<string>()
  const send = async (psbt: string) => {
    setFailure(undefined)
    setSending(true)
    try {
      await post(id, psbt)
      toast.success(t`Signed. It is sent and followed.`)
      onTaken()
    } catch (thrown) {
      const { message, details } = asRequestError(thrown)
      setFailure(details ?? message)
    } finally {
      setSending(false)
    }
  }
  const take = async (chosen: File) => {
    setFile(chosen)
    await send(await readPsbt(chosen))
  }
  return (
    <section aria-label={t`Back from your wallet`} className="flex flex-col gap-3">
      <FileField
        label={t`Upload the signed batch`}
        accept=".psbt,.txt,application/octet-stream"
        hint={t`The file that your wallet saved.`}
        file={file}
        onFile={(chosen) => void take(chosen)}
      />
      <TextArea
        label={t`Or paste it`}
        hint={t`The text that starts with cHNidP.`}
        value={text}
        onChange={setText}
        mono
      />
      <div>
        <Button kind="primary" disabled={text.trim() === '' || isSending} onClick={() => void send(text)}>
          <Trans>Send signed batch</Trans>
        </Button>
      </div>
      {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
    </section>
  )
}

type ReleaseProps = { readonly id: number; readonly onReleased: () => void; readonly onClose: () => void }

function ReleaseBatch({ id, onReleased, onClose }: ReleaseProps) {
  const { release } = useBatchChanges()
  return (
    <ReleaseDialog
      title={t`Release this batch?`}
      text={t`Its coins can be part of another batch.`}
      done={t`Released. Its coins are free for another batch.`}
      onRelease={() => release(id)}
      onReleased={onReleased}
      onClose={onClose}
    />
  )
}
