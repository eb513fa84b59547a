import { MassScreen } from './mass-screen.tsx'

export default function TemplateScreen() {
  return (
    <MassScreen
      origin="template"
      title="Modelos em massa"
      purpose="Um modelo aprovado do WhatsApp oficial para muita gente."
      noun="Modelo"
      onlyTemplate
      fits={({ abilities }) => abilities.supports.includes('template')}
      withoutChannel="Conecte um WhatsApp oficial (API da Meta) em Canais: só ele tem modelos aprovados."
    />
  )
}
