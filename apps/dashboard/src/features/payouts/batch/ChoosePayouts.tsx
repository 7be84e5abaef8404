import { MOST_REQUESTED } from '@kassa/contract/withdrawals/batch-rules.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { useState } from 'react'

import { saveFile } from '../../../lib/device/save-file.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { CodeBlock } from '../../../ui/facts/CodeBlock.tsx'
import { FileField } from '../../../ui/fields/FileField.tsx'
import { TextArea } from '../../../ui/fields/TextArea.tsx'
import type { PayoutLine } from './payout-rows.ts'
import { EXAMPLE, MOST_BYTES, readPayouts, sampleFile } from './read-payouts.ts'

/** Reads a list of payouts from a file or from pasted text, and says why a text is not one. */
export function ChoosePayouts({ onLines }: { onLines: (lines: readonly PayoutLine[]) => void }) {
  const [file, setFile] = useState<File>()
  const [fileError, setFileError] = useState<string>()
  const [pasted, setPasted] = useState('')
  const [pasteError, setPasteError] = useState<string>()
  const take = (text: string, setError: (error: string | undefined) => void) => {
    const read = readPayouts(text)
    setError('refusal' in read ? read.refusal : undefined)
    if ('lines' in read) onLines(read.lines)
  }
  const choose = async (chosen: File) => {
    setFile(chosen)
    if (chosen.size > MOST_BYTES) return setFileError(t`This file is too large for ${MOST_REQUESTED} payouts.`)
    take(new TextDecoder().decode(await chosen.arrayBuffer()), setFileError)
  }
  return (
    <div className="flex flex-col gap-4">
      <FileField
        label={t`CSV file with one payout per line`}
        accept=".csv,text/csv"
        hint={t`Up to ${MOST_REQUESTED} lines. Nothing is requested before you have seen it.`}
        error={fileError}
        file={file}
        roomy
        onFile={(chosen) => void choose(chosen)}
      />
      <TextArea
        label={t`Or paste the lines`}
        rows={4}
        mono
        value={pasted}
        error={pasteError}
        hint={t`Include the line with the column names.`}
        onChange={setPasted}
      />
      <div>
        <Button disabled={pasted.trim() === ''} onClick={() => take(pasted, setPasteError)}>
          <Trans>Check the lines</Trans>
        </Button>
      </div>
      <div className="flex flex-col gap-2">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p className="text-body font-medium">
            <Trans>What a file looks like</Trans>
          </p>
          <Button
            size="small"
            icon={<Download strokeWidth={1.75} />}
            onClick={() => saveFile(sampleFile(), 'payouts-sample.csv')}
          >
            <Trans>Download example</Trans>
          </Button>
        </div>
        <CodeBlock label={t`example file`} text={EXAMPLE} />
        <p className="text-dense text-muted">
          <Trans>
            Enter recipients by their saved name, e-mail or address. The network is needed only where several match. A
            reference is paid once: the same file again creates no payout.
          </Trans>
        </p>
      </div>
    </div>
  )
}
