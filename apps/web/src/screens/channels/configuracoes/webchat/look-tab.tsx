import { foreignLanguages, type WebchatTexts, webchatLanguageLabels } from '@balcao/contract/channels/webchat-look.ts'
import { SegmentedControl, Select, Text, Textarea, TextInput } from '@mantine/core'
import { SettingRow, SettingSection } from '../../../../features/people/settings/setting-row.tsx'
import { contrast, isHexColor, textOn } from '../../../../ui/color.ts'
import { ColorInput } from '../../../../ui/color-input.tsx'
import classes from './webchat.module.css'
import type { Editing } from './webchat-screen.tsx'

export const LookTab = (editing: Editing) => {
  const { look, problems, set } = editing
  return (
    <div className={classes.stack}>
      <SettingSection title="Aparência">
        <SettingRow
          id="webchat-color"
          label="Cor"
          help="Do cabeçalho, do botão e das mensagens do visitante."
          effect={contrastText(look.color)}
          problem={problems.color}
        >
          <ColorInput id="webchat-color" w={160} value={look.color} onChange={(color) => set({ color })} />
        </SettingRow>
        <SettingRow label="Posição" help="Em que canto do site fica o botão.">
          <SegmentedControl
            aria-label="Posição"
            value={look.position}
            onChange={(position) => set({ position: position === 'left' ? 'left' : 'right' })}
            data={[
              { value: 'left', label: 'À esquerda' },
              { value: 'right', label: 'À direita' },
            ]}
          />
        </SettingRow>
        <SettingRow label="Imagem do cabeçalho" help="A marca é a de Dados e aparência. Sem ela ficam as iniciais.">
          <SegmentedControl
            aria-label="Imagem do cabeçalho"
            value={look.avatar}
            onChange={(avatar) => set({ avatar: avatar === 'logo' ? 'logo' : 'initials' })}
            data={[
              { value: 'initials', label: 'Iniciais' },
              { value: 'logo', label: 'Marca da empresa' },
            ]}
          />
        </SettingRow>
        <SettingRow id="webchat-icon" label="Ícone do botão" help="O desenho do botão que abre o chat.">
          <Select
            id="webchat-icon"
            w={160}
            allowDeselect={false}
            value={look.launcherIcon}
            onChange={(icon) => icon && set({ launcherIcon: icon as typeof look.launcherIcon })} // one of the three below
            data={[
              { value: 'chat', label: 'Balão' },
              { value: 'question', label: 'Pergunta' },
              { value: 'hand', label: 'Mão' },
            ]}
          />
        </SettingRow>
        <SettingRow
          id="webchat-label"
          label="Texto do botão"
          help="Ao lado do ícone, como Fale conosco. Vazio: só o ícone."
          problem={problems.launcherLabel}
        >
          <TextInput
            id="webchat-label"
            w={200}
            maxLength={24}
            value={look.launcherLabel}
            onChange={(event) => set({ launcherLabel: event.currentTarget.value })}
          />
        </SettingRow>
      </SettingSection>
      <SettingSection title="Textos">
        <Texts
          words={look}
          problemOf={(name) => problems[name]}
          onChange={(patch) => set(patch)}
          subtitleHelp="Vazio: se há alguém disponível agora."
        />
      </SettingSection>
      <SettingSection
        title="Idiomas"
        note="As palavras da própria janela existem em português, inglês e espanhol. Aqui ficam os seus textos nos outros dois."
      >
        <SettingRow id="webchat-language" label="Idioma da janela" help="Automático: o do navegador de cada visitante.">
          <Select
            id="webchat-language"
            w={160}
            allowDeselect={false}
            value={look.language}
            onChange={(language) => language && set({ language: language as typeof look.language })} // one of the list below
            data={[
              { value: 'auto', label: 'Automático' },
              ...Object.entries(webchatLanguageLabels).map(([value, label]) => ({ value, label })),
            ]}
          />
        </SettingRow>
        {foreignLanguages.map((language) => (
          <section key={language} aria-label={webchatLanguageLabels[language]}>
            <Text fw={600} px={16} pt={14}>
              {webchatLanguageLabels[language]}
            </Text>
            <Texts
              suffix={` em ${webchatLanguageLabels[language].toLowerCase()}`}
              words={look.translations[language]}
              hasLabel
              placeholders={look}
              problemOf={(name) => problems[`translations.${language}.${name}`]}
              onChange={(patch) =>
                set({
                  translations: { ...look.translations, [language]: { ...look.translations[language], ...patch } },
                })
              }
            />
          </section>
        ))}
      </SettingSection>
    </div>
  )
}

type TextsProps = {
  words: WebchatTexts
  /** What is shown while nothing is written. */
  placeholders?: WebchatTexts
  suffix?: string
  /** Also what stands beside the button. */
  hasLabel?: boolean
  subtitleHelp?: string
  problemOf: (name: keyof WebchatTexts) => string | undefined
  onChange: (patch: Partial<WebchatTexts>) => void
}
const Texts = ({ words, placeholders, suffix = '', hasLabel, subtitleHelp, problemOf, onChange }: TextsProps) => (
  <>
    <div className={classes.field}>
      <div className={classes.row}>
        <TextInput
          label={`Título${suffix}`}
          maxLength={60}
          placeholder={placeholders?.title}
          value={words.title}
          error={problemOf('title')}
          onChange={(event) => onChange({ title: event.currentTarget.value })}
        />
        <TextInput
          label={`Subtítulo${suffix}`}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          description={subtitleHelp}
          maxLength={80}
          placeholder={placeholders?.subtitle}
          value={words.subtitle}
          error={problemOf('subtitle')}
          onChange={(event) => onChange({ subtitle: event.currentTarget.value })}
        />
      </div>
    </div>
    <div className={classes.field}>
      <Textarea
        label={`Boas-vindas${suffix}`}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={500}
        placeholder={placeholders?.welcome}
        value={words.welcome}
        error={problemOf('welcome')}
        onChange={(event) => onChange({ welcome: event.currentTarget.value })}
      />
    </div>
    <div className={classes.field}>
      <Textarea
        label={`Texto fora do horário${suffix}`}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={500}
        placeholder={placeholders?.offlineText}
        value={words.offlineText}
        error={problemOf('offlineText')}
        onChange={(event) => onChange({ offlineText: event.currentTarget.value })}
      />
    </div>
    {hasLabel && (
      <div className={classes.field}>
        <TextInput
          label={`Texto do botão${suffix}`}
          maxLength={24}
          placeholder={placeholders?.launcherLabel}
          value={words.launcherLabel}
          error={problemOf('launcherLabel')}
          onChange={(event) => onChange({ launcherLabel: event.currentTarget.value })}
        />
      </div>
    )}
  </>
)

/** Black or white, whichever reads better, is at least 4.5:1 on any colour. */
const contrastText = (color: string): string => {
  if (!isHexColor(color)) return ''
  const text = textOn(color)
  const ratio = contrast(color, text).toLocaleString('pt-BR', { maximumFractionDigits: 1 })
  return `Texto ${text === '#ffffff' ? 'branco' : 'preto'} sobre ela: contraste ${ratio}:1 (o mínimo é 4,5:1).`
}
