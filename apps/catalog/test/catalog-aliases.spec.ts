import { ConfigError } from '@kinora/service-kit';
import { loadCatalog } from '../src/catalog/load-catalog';
import { HOUSE_MODEL, HOUSE_VIDEO, useCatalogFolder } from './house-catalog.fixtures';

describe('aliases of a catalog', () => {
  const { file, load } = useCatalogFolder();

  it('gives the names of OpenAI to the built-in models, one name for generations and edits', () => {
    const aliases = loadCatalog('').listAliases();
    expect(aliases.filter(({ alias }) => alias === 'gpt-image-1')).toEqual([
      { alias: 'gpt-image-1', operation: 'image.generation', model: 'general-image' },
      { alias: 'gpt-image-1', operation: 'image.edit', model: 'image-edit' },
    ]);
    expect(aliases).toContainEqual({ alias: 'sora-2', operation: 'video.generation', model: 'image-to-video' });
    const named = (operation: string) => aliases.flatMap((each) => (each.operation === operation ? [each.alias] : []));
    for (const operation of ['image.generation', 'image.edit'])
      expect(named(operation)).toEqual(
        expect.arrayContaining(['gpt-image-2', 'gpt-image-*', 'chatgpt-image-latest', 'chatgpt-image-*']),
      );
    expect(named('video.generation')).toContain('sora-*');
  });

  it("replaces the built-in aliases of the operator's family, and keeps a name that is an id for its own model", () => {
    const family = HOUSE_MODEL.replace('label:', 'aliases: [gpt-image-*]\n    label:');
    const aliases = load(
      family +
        family
          .slice(family.indexOf('  - id'))
          .replace('house-image', 'gpt-image-house')
          .replace('aliases: [gpt-image-*]', 'aliases: []'),
    ).listAliases();
    const modelsOf = (operation: string) =>
      aliases
        .filter((each) => each.operation === operation && each.alias.startsWith('gpt-image'))
        .map(({ alias, model }) => [alias, model]);
    expect(modelsOf('image.generation')).toEqual([
      ['gpt-image-*', 'house-image'],
      ['gpt-image-house', 'gpt-image-house'],
    ]);
    expect(modelsOf('image.edit')).toContainEqual(['gpt-image-2', 'image-edit']);
    expect(modelsOf('image.edit')).toContainEqual(['gpt-image-house', 'gpt-image-house']);
  });

  it("gives an alias to the operator's model for its operations, and leaves the others to the built-in models", () => {
    const aliases = load(HOUSE_MODEL.replace('label:', 'aliases: [gpt-image-1, house/one]\n    label:')).listAliases();
    const modelsOf = (name: string) =>
      aliases.filter(({ alias }) => alias === name).map(({ operation, model }) => [operation, model]);
    expect(modelsOf('gpt-image-1')).toEqual([
      ['image.generation', 'house-image'],
      ['image.edit', 'image-edit'],
    ]);
    expect(modelsOf('house/one')).toEqual([['image.generation', 'house-image']]);
  });

  it("drops a built-in alias that is the id of the operator's model", () => {
    const aliases = load(HOUSE_MODEL.replace('id: house-image', 'id: dall-e-3')).listAliases();
    expect(aliases.filter(({ alias }) => alias === 'dall-e-3')).toEqual([]);
  });

  it.each([
    ['aliases: [image-edit]', '4: models[0].aliases[0]: is the id of a model'],
    ['aliases: [one, house-image]', '4: models[0].aliases[1]: is the id of a model'],
  ])('refuses a model with %s, and names the line', (field, problem) => {
    const text = HOUSE_MODEL.replace('label:', `${field}\n    label:`);
    expect(() => load(text)).toThrow(new ConfigError(`${file}:${problem}`));
  });

  it('refuses two models with one alias for the same operation, and takes it for different operations', () => {
    const named = (text: string) => text.replace('label:', 'aliases: [one]\n    label:');
    const second = named(HOUSE_MODEL).replace('models:\n', '').replace('house-image', 'other-image');
    expect(() => load(named(HOUSE_MODEL) + second)).toThrow(
      'models[1].aliases[0]: is already an alias of another model for the same operation',
    );
    const video = named(HOUSE_VIDEO).replace('models:\n', '');
    expect(load(named(HOUSE_MODEL) + video).listAliases()).toEqual(
      expect.arrayContaining([
        { alias: 'one', operation: 'image.generation', model: 'house-image' },
        { alias: 'one', operation: 'video.generation', model: 'house-video' },
      ]),
    );
  });
});
