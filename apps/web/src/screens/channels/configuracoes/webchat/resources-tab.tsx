import { type UploadKind, uploadKinds } from '@balcao/contract/channels/webchat-look.ts'
import { Anchor, Checkbox, Group, Switch } from '@mantine/core'
import { Link } from 'react-router'
import { SettingRow, SettingSection } from '../../../../features/people/settings/setting-row.tsx'
import { NumberField } from '../../../../ui/number-field.tsx'
import classes from './webchat.module.css'
import type { Editing } from './webchat-screen.tsx'

const kindLabels: Record<UploadKind, string> = {
  image: 'Imagens',
  audio: 'Áudios e gravações de voz',
  video: 'Vídeos',
  document: 'PDF e documentos',
}

export const ResourcesTab = ({ look, problems, set }: Editing) => (
  <div className={classes.stack}>
    <SettingSection title="Arquivos do visitante">
      <SettingRow id="webchat-uploads" label="Aceitar arquivos" help="Sem isto o visitante só escreve.">
        <Switch
          id="webchat-uploads"
          checked={look.uploads}
          onChange={(event) => set({ uploads: event.currentTarget.checked })}
        />
      </SettingRow>
      {look.uploads && (
        <>
          <SettingRow label="Tipos" help="O que o arquivo é, pelo conteúdo e não só pelo nome." below>
            <Checkbox.Group
              aria-label="Tipos"
              value={look.uploadKinds}
              onChange={(kinds) => set({ uploadKinds: uploadKinds.filter((kind) => kinds.includes(kind)) })}
            >
              <Group gap="lg">
                {uploadKinds.map((kind) => (
                  <Checkbox key={kind} value={kind} label={kindLabels[kind]} />
                ))}
              </Group>
            </Checkbox.Group>
          </SettingRow>
          <SettingRow
            id="webchat-size"
            label="Tamanho máximo"
            help="Em MB, de 1 a 10, para cada arquivo."
            problem={problems.uploadMaxMb}
          >
            <NumberField
              id="webchat-size"
              w={90}
              min={1}
              max={10}
              allowDecimal={false}
              clampBehavior="strict"
              value={look.uploadMaxMb}
              onChange={(uploadMaxMb) => set({ uploadMaxMb })}
            />
          </SettingRow>
        </>
      )}
    </SettingSection>
    <SettingSection title="Ajuda">
      <SettingRow
        id="webchat-help"
        label="Mostrar artigos de ajuda"
        help={
          <>
            As{' '}
            <Anchor component={Link} to="/mensagens-rapidas" inherit>
              mensagens rápidas
            </Anchor>{' '}
            de todos que têm um título na ajuda, com busca, antes e ao lado da conversa.
          </>
        }
      >
        <Switch
          id="webchat-help"
          checked={look.helpArticles}
          onChange={(event) => set({ helpArticles: event.currentTarget.checked })}
        />
      </SettingRow>
    </SettingSection>
    <SettingSection title="Cópia da conversa">
      <SettingRow
        id="webchat-transcripts"
        label="Oferecer cópia por e-mail"
        help="O visitante pede no chat e confirma o e-mail com um código. Vai só o que ele vê; os arquivos, pelo nome."
      >
        <Switch
          id="webchat-transcripts"
          checked={look.transcripts}
          onChange={(event) => set({ transcripts: event.currentTarget.checked })}
        />
      </SettingRow>
    </SettingSection>
  </div>
)
