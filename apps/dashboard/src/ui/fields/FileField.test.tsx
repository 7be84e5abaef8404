import { cleanup, createEvent, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'

import { FileField } from './FileField.tsx'

afterEach(cleanup)

function Specimen({ error }: { error?: string }) {
  const [file, setFile] = useState<File>()
  return (
    <FileField label="List" accept=".csv" hint="Up to 5 MB." error={error} file={file} onFile={setFile}>
      <button type="button" onClick={() => setFile(undefined)}>
        Remove
      </button>
    </FileField>
  )
}

const input = () => screen.getByLabelText<HTMLInputElement>('List')
const list = (letters = 12_345) => new File(['a'.repeat(letters)], 'november.csv')
const described = () =>
  input()
    .getAttribute('aria-describedby')
    ?.split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ')

describe('FileField', () => {
  it('is a file input the keyboard reaches, with words of ours for its button', async () => {
    render(<Specimen />)
    await userEvent.tab()
    expect(document.activeElement).toBe(input())
    expect(screen.getByLabelText('Choose file')).toBe(input())
    expect(described()).toBe(' Up to 5 MB.')
  })

  it('names the chosen file and its size, until it is removed', async () => {
    render(<Specimen />)
    await userEvent.upload(input(), list())
    expect(screen.getByRole('status').textContent).toBe('november.csv 12.3 kB')
    expect(described()).toBe('november.csv 12.3 kB Up to 5 MB.')
    expect(screen.getByLabelText('Choose another file')).toBe(input())
    await userEvent.click(screen.getByRole('button', { name: 'Remove' }))
    expect(screen.getByRole('status').textContent).toBe('')
    expect(input().files).toHaveLength(0)
  })

  it('takes the same file once more', async () => {
    render(<Specimen />)
    await userEvent.upload(input(), list())
    fireEvent.click(input())
    expect(input().value).toBe('')
    expect(screen.getByRole('status').textContent).toContain('november.csv')
  })

  it('takes a file that is dropped on it, and nothing else that is held over it', () => {
    render(<Specimen />)
    const area = screen.getByText('or drop it here')
    const over = (types: string[]) => createEvent.dragOver(area, { dataTransfer: { types } })
    const [text, files] = [over(['text/plain']), over(['Files'])]
    fireEvent(area, text)
    fireEvent(area, files)
    expect([text.defaultPrevented, files.defaultPrevented]).toEqual([false, true])
    fireEvent.drop(area, { dataTransfer: { files: [list(820)] } })
    expect(screen.getByRole('status').textContent).toBe('november.csv 820 bytes')
  })

  it('says aloud what is wrong with a file', () => {
    render(<Specimen error="This file is empty." />)
    expect(screen.getByRole('alert').textContent).toBe('This file is empty.')
    expect(input().getAttribute('aria-invalid')).toBe('true')
    expect(described()).toContain('This file is empty.')
  })
})
