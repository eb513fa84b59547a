import type { CsvImportReport } from '@balcao/contract/core/csv-imports.ts'
import { ActionIcon, Alert, Button, FileButton, Group, Modal, Stack, Text, Tooltip } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../kit/api.ts'
import { longTimeoutMs } from '../../../kit/api-client.ts'
import { reasonOf } from '../../../kit/api-error.ts'
import { formatNumber, plural } from '../../../kit/format.ts'
import { notify } from '../../../ui/notify.ts'
import classes from './csv-import.module.css'

type Props = {
  path: `/${string}`
  /** Whose lists are read anew. */
  event: string
  /** "mensagens rápidas". */
  many: string
  /** Which columns the file has. */
  help: string
  /** "Pastas novas". */
  foldersLabel?: string
  /** What else is asked with the file. */
  more?: object
}

/** A spreadsheet file read in two steps: first what it would do, line by line where it would not; then doing it. */
export const CsvImport = ({ path, event, many, help, foldersLabel = '', more }: Props) => {
  const cache = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [file, setFile] = useState<{ name: string; csv: string } | null>(null)
  const [report, setReport] = useState<CsvImportReport | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)

  const ask = async (csv: string, dryRun: boolean) => {
    setBusy(true)
    setProblem(null)
    try {
      return await api.post<CsvImportReport>(path, { ...more, csv, dryRun }, { timeoutMs: longTimeoutMs })
    } catch (error) {
      setProblem(reasonOf(error))
      return null
    } finally {
      setBusy(false)
    }
  }
  const handleFile = async (chosen: File | null) => {
    if (!chosen) return
    setReport(null)
    if (chosen.size > mostBytes) return setProblem('O arquivo é grande demais: use até 1,9 MB, ou divida-o.')
    const csv = decoded(await chosen.arrayBuffer())
    setFile({ name: chosen.name, csv })
    setReport(await ask(csv, true))
  }
  const close = () => {
    setOpen(false)
    setFile(null)
    setReport(null)
    setProblem(null)
  }
  const handleImport = async () => {
    const done = file && (await ask(file.csv, false))
    if (!done) return
    notify.success(
      `Importação concluída: ${plural(done.created, 'nova', 'novas')}, ${plural(done.changed, 'alterada', 'alteradas')}.`,
    )
    void cache.invalidateQueries({ queryKey: ['resource', event] })
    close()
  }
  const changes = report ? report.created + report.changed : 0
  return (
    <>
      <Tooltip label="Importar CSV">
        <ActionIcon variant="default" aria-label="Importar CSV" size={36} onClick={() => setOpen(true)}>
          <IconUpload size={18} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
      <Modal
        opened={isOpen}
        onClose={close}
        size={560}
        title={<Text fw={600}>Importar {many}</Text>}
        closeButtonProps={{ 'aria-label': 'Fechar' }}
      >
        <Stack gap="md">
          <Text c="dimmed">{help}</Text>
          <Group gap="sm" wrap="nowrap">
            <FileButton accept=".csv,text/csv,text/plain" onChange={(chosen) => void handleFile(chosen)}>
              {(props) => (
                <Button {...props} variant={report ? 'default' : 'filled'} loading={isBusy && !report} data-autofocus>
                  {file ? 'Escolher outro' : 'Escolher arquivo'}
                </Button>
              )}
            </FileButton>
            {file && <Text truncate>{file.name}</Text>}
          </Group>
          {problem && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          {report && <Report report={report} foldersLabel={foldersLabel} />}
          {report && (
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={close}>
                Cancelar
              </Button>
              <Button disabled={!changes} loading={isBusy} onClick={() => void handleImport()}>
                Importar
              </Button>
            </Group>
          )}
        </Stack>
      </Modal>
    </>
  )
}

const Report = ({ report, foldersLabel }: { report: CsvImportReport; foldersLabel: string }) => {
  const { created, changed, same, folders, refused } = report
  return (
    <section aria-label="O que vai acontecer" className={classes.report}>
      <dl className={classes.numbers}>
        {Object.entries({ Novas: created, Alteradas: changed, 'Já iguais': same, 'Ficam de fora': refused.length }).map(
          ([label, count]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd className="tabular">{formatNumber(count)}</dd>
            </div>
          ),
        )}
      </dl>
      {folders.length > 0 && (
        <Text size="sm">
          {foldersLabel}: {new Intl.ListFormat('pt-BR').format(folders)}.
        </Text>
      )}
      {refused.length > 0 && (
        <ul className={classes.refused} aria-label="Linhas que ficam de fora">
          {refused.map(({ line, name, reason }) => (
            <li key={line}>
              <span className="tabular">Linha {line}</span>
              {name && <strong className="truncate">{name}</strong>}
              <span>{reason}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const mostBytes = 1_900_000

/** Excel in Portuguese saves as Windows-1252 unless told otherwise. */
const decoded = (bytes: ArrayBuffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
