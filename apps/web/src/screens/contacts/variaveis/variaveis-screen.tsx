import { fillVariables } from '@balcao/contract/variables.ts'
import { ActionIcon, CopyButton, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { useSampleContext } from '../../../features/contacts/variables/sample.ts'
import { useVariables } from '../../../features/contacts/variables/use-variables.ts'
import { VariablePreview } from '../../../features/contacts/variables/variable-preview.tsx'
import { VariableTextarea } from '../../../features/contacts/variables/variable-textarea.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import classes from './variaveis-screen.module.css'

type Row = { name: string; label: string }
const loose: Row = { name: 'extra.cidade', label: 'Um campo livre do contato, pelo nome dele' }
const firstText = '{{saudacao}}, {{primeiro_nome}}! Aqui é {{user}}. Seu protocolo é {{protocol}}.'

export default function VariaveisScreen() {
  const sample = useSampleContext()
  const rows = [...useVariables(), loose]
  const [text, setText] = useState(firstText)
  return (
    <Page
      header={
        <PageHeader
          title="Variáveis"
          purpose="Escreva o nome entre chaves duplas; no envio, cada uma vira o dado do contato ou do atendimento."
        />
      }
    >
      <div className={classes.columns}>
        <div className={classes.table}>
          <DataTable
            label="Variáveis"
            rows={rows}
            rowId={(row) => row.name}
            rowName={(row) => row.name}
            columns={[
              { key: 'name', label: 'Variável', width: 190, render: (row) => <code>{written(row)}</code> },
              { key: 'label', label: 'O que vira', wideOnly: true },
              {
                key: 'value',
                label: 'Exemplo',
                render: (row) => <span className={classes.example}>{fillVariables(written(row), sample)}</span>,
              },
            ]}
            rowActions={(row) => (
              <CopyButton value={written(row)} timeout={2_000}>
                {({ copied, copy }) => (
                  <Tooltip label={copied ? 'Copiada' : 'Copiar'}>
                    <ActionIcon
                      aria-label={copied ? `${written(row)}: copiada` : `Copiar ${written(row)}`}
                      onClick={copy}
                    >
                      {copied ? <IconCheck size={18} stroke={1.75} /> : <IconCopy size={18} stroke={1.75} />}
                    </ActionIcon>
                  </Tooltip>
                )}
              </CopyButton>
            )}
          />
        </div>
        <section className={classes.trial} aria-label="Experimente">
          <h2 className={classes.title}>Experimente</h2>
          <VariableTextarea
            label="Mensagem"
            description="Nada é enviado: serve para ver como fica com um contato de exemplo."
            minRows={4}
            maxLength={4_000}
            value={text}
            onChange={setText}
          />
          <VariablePreview text={text} label="Como o cliente lê" />
          <p className={classes.hint}>
            A saudação segue o relógio da empresa: “Bom dia” das 6 h às 12 h, “Boa tarde” até as 18 h, “Boa noite” até a
            meia-noite e “Olá” na madrugada. Quando o contato não tem o dado, o lugar fica vazio.
          </p>
        </section>
      </div>
    </Page>
  )
}

const written = ({ name }: Row) => `{{${name}}}`
