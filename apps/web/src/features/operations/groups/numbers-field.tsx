import { Button, FileButton, Group, Text, Textarea, type TextareaProps } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { plural } from '../../../kit/format.ts'
import { textFileProblem, textOfFile } from '../../../kit/text-of-file.ts'

type Props = Omit<TextareaProps, 'value' | 'onChange'> & {
  value: string
  onChange: (text: string) => void
  /** Other ways to numbers, beside the file. */
  children?: ReactNode
}

/** Telephones as they are typed, pasted or stand in a file, a line each; a file is put behind what is there. */
export const NumbersField = ({ value, onChange, error, children, ...field }: Props) => {
  const [problem, setProblem] = useState<string | null>(null)
  const lines = linesOf(value).length
  const handleFile = async (file: File | null | undefined) => {
    if (!file) return
    const wrong = textFileProblem(file, 2)
    setProblem(wrong ?? null)
    if (!wrong) onChange([value.trimEnd(), await textOfFile(file)].filter(Boolean).join('\n'))
  }
  return (
    <div>
      <Textarea
        placeholder={'11 98765-4321\n21 99876-5432'}
        required
        autosize
        minRows={4}
        maxRows={14}
        {...field}
        value={value}
        error={problem ?? error}
        onChange={(event) => {
          setProblem(null)
          onChange(event.currentTarget.value)
        }}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          const [file] = event.dataTransfer.files
          if (!file) return
          event.preventDefault()
          void handleFile(file)
        }}
      />
      <Group justify="space-between" mt={6} gap="xs">
        <Group gap="xs">
          <FileButton onChange={(file) => void handleFile(file)} accept=".csv,.txt,text/csv,text/plain">
            {(props) => (
              <Button {...props} variant="default" size="xs" leftSection={<IconFileUpload size={16} aria-hidden />}>
                De um arquivo
              </Button>
            )}
          </FileButton>
          {children}
        </Group>
        <Text size="sm" c="dimmed" className="tabular">
          {lines > 0 && plural(lines, 'linha', 'linhas')}
        </Text>
      </Group>
    </div>
  )
}

const linesOf = (text: string) => text.split(/\r\n|\r|\n/).filter((line) => line.trim())
