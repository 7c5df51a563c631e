// What the service uses of DeepV Code's own objects. The shapes are this package's, so it depends on no
// version of DeepV Code; its objects fit them as they are.

/** The service's constructor takes the `Config` of DeepV Code. */
export interface DeepvConfig {
  /** The name of the model, which is read once for each prompt. */
  getModel(): string;
  /** Left out, no model is asked. */
  getGeminiClient?():
    | {
        getHistory(): readonly object[];
        getContentGenerator(): {
          /**
           * Takes a {@link GenerateContentRequest} and the scene `"json_generation"`. DeepV Code declares more than its
           * server needs: a model, which the scene has, and an enum of scenes. So any parameters fit.
           */
          generateContent(request: never, scene: never): Promise<unknown>;
        };
      }
    | undefined;
}

/** A request to DeepV Code's server, which chooses the model by the scene. */
export interface GenerateContentRequest {
  contents: object[];
  config: {
    responseMimeType: string;
    abortSignal: AbortSignal;
    httpOptions: { headers: Record<string, string> };
  };
}

/** A message of an answer. */
export interface Content {
  role?: string;
  parts?: { text?: string }[];
}
