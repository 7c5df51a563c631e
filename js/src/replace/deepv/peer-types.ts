// What the service uses of DeepV Code's own objects. The shapes are this package's, so it depends on no
// version of DeepV Code; its objects fit them as they are.

/** The service's constructor takes the `Config` of DeepV Code. */
export interface DeepvConfig {
  /** The name of the model, which is read once for each prompt. */
  getModel(): string;
  /** Left out, no model is asked. */
  getGeminiClient?():
    | {
        getHistory(): readonly Content[];
        getContentGenerator(): {
          generateContent(request: GenerateContentRequest, scene: string): Promise<unknown>;
        };
      }
    | undefined;
}

/** A request to DeepV Code's server. */
export interface GenerateContentRequest {
  contents: Content[];
  config: {
    responseMimeType: string;
    abortSignal: AbortSignal;
    httpOptions: { headers: Record<string, string> };
  };
}

/** A message of the history. */
export interface Content {
  role?: string;
  parts?: { text?: string }[];
}
